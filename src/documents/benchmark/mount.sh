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
    fields_of "${line##*$'\n'}"
    ((${#FIELDS[@]} >= 5)) || refuse "$MOUNT_PATH is not on any mount that findmnt knows"
    target=${FIELDS[0]} source=${FIELDS[1]} kind=${FIELDS[2]} number=${FIELDS[3]} options=${FIELDS[4]}
    if [[ ! ($kind == nfs4 || ($kind == nfs && ",$options," == *,vers=4*)) ]]; then
        refuse "$MOUNT_PATH is not on an NFS 4 mount but on $kind ($source at $target): mount $FILE_SYSTEM there"
    fi
    device=$(stat -c %d .)
    ((major = device >> 8 & 0xfff, minor = device & 0xff | device >> 12 & 0xfff00))
    [[ $number == "$major:$minor" ]] ||
        refuse "$MOUNT_PATH is device $major:$minor, while findmnt says $number: was something mounted just now?"
    is_the_file_system "$source" "$options" "$target" "$number"
    [[ ",$options," != *,ro,* ]] || refuse "$MOUNT_PATH is mounted read-only"
    DEVICE=$device MOUNT_OPTIONS="$source $options" READ_AHEAD=null
    if [[ -r /sys/class/bdi/$number/read_ahead_kb ]]; then READ_AHEAD=$(<"/sys/class/bdi/$number/read_ahead_kb"); fi
    [[ $READ_AHEAD =~ ^[0-9]+$ ]] || READ_AHEAD=null
}

# Refuses unless the mount, at $3 and device $4, is FileSystemId's: by its DNS name, or by that to which the proxy on
# this host connects.
is_the_file_system() {
    local source=$1 options=$2
    if file_system_of "${source%%:/*}"; then
        [[ $NAMED == "$FILE_SYSTEM" ]] || refuse "$MOUNT_PATH is $NAMED, not $FILE_SYSTEM"
        return
    fi
    if [[ $source != 127.0.0.1:/* && $source != localhost:/* && $source != '[::1]:/'* ]]; then
        refuse "$MOUNT_PATH is mounted from $source, which proves no file system id: mount it with efs-utils or by its DNS name"
    fi
    [[ ",$options," =~ ,port=([0-9]+), ]] || refuse "$MOUNT_PATH is mounted from $source without a port option"
    proxy_leads_there "$source" "${BASH_REMATCH[1]}" "$3" "$4"
}

# Sets NAMED to the file system whose DNS name this is, or fails: fs-ID.efs.REGION.DOMAIN, with an Availability Zone in
# front for One Zone and for mounts from another account.
file_system_of() {
    local domain='(amazonaws\.com|amazonaws\.com\.cn|amazonaws\.eu|c2s\.ic\.gov|sc2s\.sgov\.gov|csp\.hci\.ic\.gov|cloud\.adc-e\.uk)'
    [[ $1 =~ ^([a-z0-9-]+\.)?(fs-[0-9a-f]+)\.efs\.[a-z0-9-]+\.$domain\.?$ ]] && NAMED=${BASH_REMATCH[2]}
}

# Refuses unless the proxy of efs-utils on port $2 (stunnel, or efs-proxy, which takes the same configuration and since
# 2.0 serves mounts without TLS too) connects to the file system. For a mount that stands mount.efs keeps the state
# FILESYSTEM.MOUNT.POINT.PORT and beside it stunnel-config.STATE. The id in these names is what root typed: with
# mounttargetip, or where the DNS name did not resolve, the proxy connects to an address, which may be anybody's. One
# state must be that of the mount at $3, or of another place where its device $4 is mounted (a bind mount); what is
# left over from other mounts may have had the port before, and must not lead elsewhere.
proxy_leads_there() {
    local source=$1 port=$2 configuration line connection device point points proven=0
    local -a connections
    # Between slashes: the name of a file has none, and may have blanks.
    points="/$(point_of "$3")/"
    while read -r _ _ device _ point _; do
        [[ $device != "$4" ]] || points+="$(point_of "$point")/"
    done </proc/self/mountinfo
    for configuration in "$STATES/stunnel-config."*."$port"; do
        if ! is_roots "$configuration" || ! is_roots "$STATES/${configuration##*/stunnel-config.}"; then continue; fi
        connections=() line=${configuration##*/stunnel-config.}
        # FILESYSTEM has no dot in it.
        line=${line#*.}
        [[ $points != *"/${line%".$port"}/"* ]] || proven=1
        # The last line has no line end.
        while read -r line || [[ -n $line ]]; do
            [[ ! $line =~ ^connect[[:space:]]*=[[:space:]]*(.*)$ ]] || connections+=("${BASH_REMATCH[1]}")
        done <"$configuration"
        ((${#connections[@]})) || connections=(nothing)
        for connection in "${connections[@]}"; do
            file_system_of "${connection%:2049}" ||
                refuse "$MOUNT_PATH is behind a proxy that connects to $connection (by ${configuration##*/}), which proves no file system id: mount it by its DNS name, without mounttargetip"
            [[ $NAMED == "$FILE_SYSTEM" ]] || refuse "$MOUNT_PATH is $NAMED, not $FILE_SYSTEM (by ${configuration##*/})"
        done
    done
    ((proven)) || refuse "$MOUNT_PATH is mounted from $source, and $STATES has no state for port $port at $3: mount it with efs-utils again"
}

# A mount point as efs-utils has it in a state's name. The kernel writes blanks, backslashes and the like as \040.
point_of() {
    local name=${1//\//.}
    printf -v name %b "${name//\\/\\0}"
    printf %s "${name#"${name%%[!.]*}"}"
}

# Whether a file is root's own word.
is_roots() {
    [[ -f $1 && ! -L $1 && -O $1 ]]
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
    if [[ ! $facts =~ ^[0-9]+\ [1-9][0-9]*\ [0-9]+\ [0-9]+$ ]]; then
        REASON="cannot be asked for its room: stat says '${facts:0:120}'"
        return 1
    fi
    fields_of "$facts"
    available=${FIELDS[0]} size=${FIELDS[1]} inodes=${FIELDS[2]} free=${FIELDS[3]}
    if ((($2 / size + 1) * $4 > available / $5)); then
        REASON="has room for $((available * (size / 512) / 2048)) MiB, and the plan needs $((($2 / 1048576 + 1) * $4 * $5)) MiB free"
        return 1
    elif ((inodes > 0 && $3 * $4 > free)); then
        # A file system that does not count inodes has 0 of them.
        REASON="has room for $free more files, and the plan makes $(($3 * $4))"
        return 1
    fi
}
