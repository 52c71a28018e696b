# Root's part, before and after the worker's.

prepare() {
    ROLE=prepare
    close_the_rest
    read_parameters
    SCRIPT=$(<"$SCRIPT_FILE")
    # Where memory runs out, the benchmark is what goes.
    echo 1000 2>/dev/null >/proc/self/oom_score_adj
    (prepare_and_work)
    # 2: it was refused, before anything was made, or with nothing left that could be found and removed.
    case $? in
        0 | 2) echo end ;;
        *) echo over ;;
    esac
}

# 1 where something may be left.
prepare_and_work() {
    local tries status=75 left=0 mount
    enter_mount
    has_room . "$EFS_BYTES" "$EFS_FILES" "$INSTANCES" 1 || refuse "$MOUNT_PATH $REASON"
    printf 'mounted %s %s\n' "$READ_AHEAD" "$MOUNT_OPTIONS"
    prepare_local
    # 75: another run removed the directory, with itself, before this one was in it.
    exec {mount}<.
    for ((tries = 0; tries < 5 && status == 75; ++tries)); do
        cd -P -- "/proc/$BASHPID/fd/$mount" || return
        claim "$OWN" || {
            left=$(($? == 2)) status=2
            (refuse "$MOUNT_PATH/$OWN: $REASON")
            break
        }
        start_holder
        # In the directory that was claimed, whatever becomes of its name.
        if make_room; then (as_worker work); else (refuse "no place for copying tools can be made: $FAULT"); fi
        status=$?
        leave_here || left=1
    done
    [[ -z $DISK ]] || { cd -P -- "/proc/$BASHPID/fd/$DISK" && leave_here; } || left=1
    ((status != 75)) || (refuse "$MOUNT_PATH/$OWN vanishes again and again")
    # With another status the worker has said what is left, or was killed.
    [[ $left$status =~ ^0(0|2|75)$ ]] || return 1
    end_holder
}

start_holder() {
    end_holder
    (
        if [[ -n $DISK ]]; then exec 9<&"$DISK"; fi
        close_the_rest 9
        exec setsid bash "$SCRIPT_FILE" hold "$TAG" </dev/null >/dev/null 2>&1
    ) &
    HOLDER=$!
}

end_holder() {
    [[ -z ${HOLDER-} ]] || { kill -KILL "$HOLDER" && wait "$HOLDER"; } 2>/dev/null
    HOLDER=''
}

# Where there are copies, sets ROOM to a place with the present directory as `efs` and DISK's as `disk`, which only this
# session sees. A copying tool finds both by names that nobody can lead elsewhere, whoever moves the directories, and
# whoever may not go through those above. Names in /proc are not enough: rsync resolves links by itself.
make_room() {
    local place said
    export ROOM=''
    ((APART)) || return 0
    for place in /mnt /media /srv; do
        [[ -d $place && ! -L $place ]] && break
    done
    # As they are held, not as they are named (-c).
    said=$({
        mount -t tmpfs -o size=64k,mode=755 none "$place" && mkdir -m 755 "$place/efs" "$place/disk" &&
            mount -c --bind . "$place/efs" && cd -P -- "/proc/$BASHPID/fd/$DISK" && mount -c --bind . "$place/disk"
    } 2>&1) || {
        fault_of "$said"
        return 1
    }
    ROOM=$place
}

# The local baselines' and the copies' directory on a disk of the host, held open as DISK, by its name LOCAL_NAME; DISK is
# empty where none is needed, and a run that went down with its host left none.
prepare_local() {
    local base=${LOCAL_PATH:-/var/tmp} device mount status needed=1
    DISK='' LOCAL_NAME=$OWN-$FILE_SYSTEM-$INSTANCE
    if [[ $PLAN != *on=local* && $PLAN != *do=copy* ]]; then
        needed=0
        [[ -d $base/$LOCAL_NAME && ! -L $base/$LOCAL_NAME && $(stat -c %d -- "$base/.") != "$DEVICE" ]] || return 0
    fi
    [[ -n $LOCAL_PATH || $PLAN != *on=local* ]] || refuse 'Plan has workloads on=local, and LocalPath is empty'
    exec {mount}<.
    cd -P -- "$base" 2>/dev/null || refuse "LocalPath $base is no directory of this instance"
    device=$(stat -c %d .)
    [[ $device != "$DEVICE" ]] || refuse "LocalPath $base is on the file system itself: give a path on a disk of the instance"
    # Another mount of the file system, as through an access point or another proxy, is another device.
    ((!needed)) || [[ $(stat -f -c %T .) != nfs ]] || refuse "LocalPath $base is on NFS: give a path on a disk of the instance"
    ((!needed)) || has_room . "$LOCAL_BYTES" "$LOCAL_FILES" 1 2 || refuse "LocalPath $base $REASON"
    if claim "$LOCAL_NAME"; then
        exec {DISK}<.
        export DISK LOCAL_NAME
    elif status=$? && ((needed)); then
        (refuse "$base/$LOCAL_NAME: $REASON")
        # One that was made and stays is the reaper's.
        exit "$((status == 2 ? 1 : 2))"
    fi
    cd -P -- "/proc/$BASHPID/fd/$mount" || refuse "$MOUNT_PATH cannot be entered"
    exec {mount}<&-
}
