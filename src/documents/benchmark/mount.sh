# Whether the path is the file system, and has room.

# Goes into MountPath, after proof that it is the file system; sets READ_AHEAD and MOUNT_OPTIONS.
enter_mount() {
    local said device major minor target source kind number options line
    said=$(cd -P -- "$MOUNT_PATH" 2>&1 && stat -c %d . 2>&1) || {
        case $said in
            *'No such file'*) refuse "$MOUNT_PATH does not exist: mount $FILE_SYSTEM there" ;;
            *'Not a directory'*) refuse "$MOUNT_PATH is not a directory" ;;
        esac
        fault_of "${said#*: line *: }"
        refuse "$MOUNT_PATH: $FAULT"
    }
    cd -P -- "$MOUNT_PATH" || refuse "$MOUNT_PATH cannot be entered"
    # From here on everything is relative to this directory: nobody can put another one in its place.
    target=$(readlink "/proc/$BASHPID/cwd")
    [[ $target == "$MOUNT_PATH" ]] ||
        refuse "$MOUNT_PATH leads through a symbolic link to $target: give the path without links"
    # Where mounts lie upon one another, the last line is the upmost.
    line=$(findmnt --noheadings --raw --output TARGET,SOURCE,FSTYPE,MAJ:MIN,OPTIONS --target "$MOUNT_PATH" 2>/dev/null)
    read -r target source kind number options <<<"${line##*$'\n'}"
    [[ -n ${options-} ]] || refuse "$MOUNT_PATH is not on any mount that findmnt knows"
    if [[ ! ($kind == nfs4 || ($kind == nfs && ",$options," == *,vers=4*)) ]]; then
        refuse "$MOUNT_PATH is not on an NFS 4 mount but on $kind ($source at $target): mount $FILE_SYSTEM there"
    fi
    device=$(stat -c %d .)
    ((major = device >> 8 & 0xfff, minor = device & 0xff | device >> 12 & 0xfff00))
    [[ $number == "$major:$minor" ]] ||
        refuse "$MOUNT_PATH is device $major:$minor, while findmnt says $number: was something mounted just now?"
    is_the_file_system "$source" "$options"
    [[ ",$options," != *,ro,* ]] || refuse "$MOUNT_PATH is mounted read-only"
    DEVICE=$device MOUNT_OPTIONS="$source $options" READ_AHEAD=null
    if [[ -r /sys/class/bdi/$number/read_ahead_kb ]]; then READ_AHEAD=$(<"/sys/class/bdi/$number/read_ahead_kb"); fi
    [[ $READ_AHEAD =~ ^[0-9]+$ ]] || READ_AHEAD=null
}

# Refuses unless the mount is FileSystemId's: by its DNS name (with an Availability Zone in front for One Zone), or, for
# mounts through efs-utils (stunnel or efs-proxy on 127.0.0.1), by the state that mount.efs keeps as
# /var/run/efs/FILESYSTEM.MOUNT.POINT.PORT, PORT being the one in the mount's options.
is_the_file_system() {
    local source=$1 options=$2 port state other
    local domain='(amazonaws\.com|amazonaws\.com\.cn|amazonaws\.eu|c2s\.ic\.gov|sc2s\.sgov\.gov|csp\.hci\.ic\.gov|cloud\.adc-e\.uk)'
    if [[ $source =~ ^([a-z0-9-]+\.)?(fs-[0-9a-f]+)\.efs\.[a-z0-9-]+\.$domain\.?:/ ]]; then
        other=${BASH_REMATCH[2]}
        [[ $other == "$FILE_SYSTEM" ]] || refuse "$MOUNT_PATH is $other, not $FILE_SYSTEM"
        return
    fi
    if [[ $source != 127.0.0.1:/* && $source != localhost:/* && $source != '[::1]:/'* ]]; then
        refuse "$MOUNT_PATH is mounted from $source, which proves no file system id: mount it with efs-utils or by its DNS name"
    fi
    [[ ",$options," =~ ,port=([0-9]+), ]] || refuse "$MOUNT_PATH is mounted from $source without a port option"
    port=${BASH_REMATCH[1]}
    for state in "$STATES/"fs-*."$port"; do
        # Only root's word counts.
        [[ -f $state && ! -L $state && -O $state ]] || continue
        other=${state##*/}
        other=${other%%.*}
        [[ $other == "$FILE_SYSTEM" ]] || refuse "$MOUNT_PATH is $other, not $FILE_SYSTEM (by ${state##*/})"
        return
    done
    refuse "$MOUNT_PATH is mounted from $source, and $STATES has no state for port $port: mount it with efs-utils again"
}

# Whether the directory has room for $2 bytes in $3 files on each of $4 instances, and $5 times as many bytes free.
# Counted in blocks: EFS shows 8 EiB, and bytes of that would not fit into a number.
has_room() {
    local facts available size inodes free
    facts=$(stat -f -c '%a %S %c %d' -- "$1" 2>&1) || {
        fault_of "$facts"
        REASON="cannot be asked for its room: $FAULT"
        return 1
    }
    read -r available size inodes free <<<"$facts"
    if (($2 * $4 / size + 1 > available / $5)); then
        REASON="has room for $((available * (size / 512) / 2048)) MiB, and the plan needs $(($2 * $4 * $5 / 1048576 + 1)) MiB free"
        return 1
    elif ((inodes > 0 && $3 * $4 > free)); then
        # A file system that does not count inodes has 0 of them.
        REASON="has room for $free more files, and the plan makes $(($3 * $4))"
        return 1
    fi
}
