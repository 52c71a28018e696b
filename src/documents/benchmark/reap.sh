# What removes the files of a run that was killed.

# Waits for the end of `supervise`; one that ended well kills this process before.
reap() {
    ROLE=reap
    trap '' HUP INT TERM
    close_the_rest
    cd /
    # The agent may remove its files once the command has ended.
    SCRIPT=$(<"$SCRIPT_FILE")
    local session=$1 tries ended=0
    while alive "$MAIN" "$MAIN_STARTED"; do nap 0.25; done
    for ((tries = 0; tries < 60; ++tries)); do
        # No more once it is gone: its number may be somebody else's by then.
        ((ended)) || { end_session "$session" 10 && ended=1; }
        ((ended)) && clean_within 30 && exit 0
        nap 5
    done
}

# Removes what this run left: 0 when nothing of it is there any more.
clean() {
    ROLE=clean
    read_parameters
    LOCAL=${LOCAL_PATH:-/var/tmp}/$OWN-$FILE_SYSTEM-$INSTANCE
    [[ -d $LOCAL && ! -L $LOCAL ]] || LOCAL=''
    # First what needs no mount: it may be gone, or hang.
    if [[ -n $LOCAL ]]; then (cd -P -- "$LOCAL" && as_worker tidy) || exit 1; fi
    # Where it was unmounted meanwhile there is nothing of this name, and nothing is touched.
    cd -P -- "$MOUNT_PATH" || exit 1
    if [[ -d ./$OWN && ! -L ./$OWN ]]; then
        (cd -P -- "./$OWN" && LOCAL_DIRECTORY=$LOCAL as_worker leave) || exit 1
    fi
    leave_parents
}
