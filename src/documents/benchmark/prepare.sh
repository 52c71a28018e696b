# Root's part, before and after the worker's.

prepare() {
    ROLE=prepare
    close_the_rest
    read_parameters
    SCRIPT=$(<"$SCRIPT_FILE")
    # Where memory runs out, the benchmark is what goes.
    echo 1000 2>/dev/null >/proc/self/oom_score_adj
    (prepare_and_work)
    echo end
}

prepare_and_work() {
    local tries status=75
    enter_mount
    has_room . "$EFS_BYTES" "$EFS_FILES" "$INSTANCES" 1 || refuse "$MOUNT_PATH $REASON"
    printf 'mounted %s %s\n' "$READ_AHEAD" "$MOUNT_OPTIONS"
    prepare_local
    # 75: another run removed the directory, with itself, before this one was in it.
    for ((tries = 0; tries < 5 && status == 75; ++tries)); do
        (
            claim "$OWN" || { (refuse "$MOUNT_PATH/$OWN: $REASON"); exit 3; }
            # In the directory that was claimed, whatever becomes of its name.
            LOCAL_DIRECTORY=$LOCAL as_worker work
        )
        status=$?
        ((status != 3)) || return
        leave_parents
    done
    ((status != 75)) || refuse "$MOUNT_PATH/$OWN vanishes again and again"
}

# The yardstick's and the copies' directory on a disk of the host; LOCAL is empty where none is needed.
prepare_local() {
    local base=${LOCAL_PATH:-/var/tmp} device name=$OWN-$FILE_SYSTEM-$INSTANCE
    LOCAL=''
    [[ $PLAN == *on=local* || $PLAN == *do=copy* ]] || return 0
    [[ -n $LOCAL_PATH || $PLAN != *on=local* ]] || refuse 'Plan has workloads on=local, and LocalPath is empty'
    device=$(stat -c %d -- "$base/." 2>/dev/null) || refuse "LocalPath $base is no directory of this instance"
    [[ $device != "$DEVICE" ]] || refuse "LocalPath $base is on the file system itself: give a path on a disk of the instance"
    has_room "$base/." "$LOCAL_BYTES" "$LOCAL_FILES" 1 2 || refuse "LocalPath $base $REASON"
    (
        cd -P -- "$base" || refuse "LocalPath $base cannot be entered"
        claim "$name" || refuse "$base/$name: $REASON"
    ) || exit 2
    LOCAL=$base/$name
}

# Removes both directories where nobody needs them any more, that is: where they are empty. Never follows a link.
leave_parents() {
    rmdir -- "./$OWN" 2>/dev/null
    if [[ -n $LOCAL ]]; then rmdir -- "$LOCAL" 2>/dev/null; fi
}
