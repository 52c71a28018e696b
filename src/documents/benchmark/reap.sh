# What removes the files of a run that was killed, or that could not remove them itself.

# Waits for the end of `supervise`; one that left nothing kills this process before.
reap() {
    ROLE=reap
    trap '' HUP INT TERM
    close_the_rest
    cd /
    # The agent may remove its files once the command has ended.
    SCRIPT=$(<"$SCRIPT_FILE")
    local session=$1 begun limit patience=30
    while alive "$MAIN" "$MAIN_STARTED"; do nap 0.25; done
    uptime
    begun=$UPTIME limit=$((UPTIME + REAPER_SECONDS))
    # No more once it is gone: its number may be somebody else's by then.
    until end_session "$session" 10 || ((UPTIME > limit)); do nap 5; done
    # On a host that is slow enough no try would ever come to its end, if each had as little time as the first.
    until clean_within "$patience" || ((UPTIME > limit)); do
        ((patience > 300)) || ((patience *= 2))
        # One at a time: those that hang would pile up for as long as the mount does.
        until end_session "$CLEANER" 1 || ((UPTIME > limit)); do nap 5; done
        if ((UPTIME - begun < 120)); then nap 5; else nap 30; fi
    done
}

# Removes what this run left, and says `end` where nothing is left any more.
clean() {
    ROLE=clean
    read_parameters
    local status=0 name=$OWN-$FILE_SYSTEM-$INSTANCE path
    local -a places=()
    # First what needs no mount: it may be gone, or hang.
    cd -P -- "${LOCAL_PATH:-/var/tmp}" 2>/dev/null && [[ -d ./$name && ! -L ./$name ]] && {
        remove_from "$name" tidy || status=1
    }
    # Where even the path is gone, this host will not see the file system there again: what is left is for the next run.
    if [[ $(cd -P -- "$MOUNT_PATH" 2>&1) == *'No such file'* ]]; then
        say_left "$MOUNT_PATH is gone from this host: the next run on the file system removes what lies there"
        ((status)) || echo end
        return
    fi
    # Where something else is mounted meanwhile, or nothing, what is left cannot be seen, and nothing is touched.
    enter_mount
    if [[ -d ./$OWN && ! -L ./$OWN ]]; then places=("$OWN"); fi
    # Somebody may have given the directory another name.
    if [[ ! -e ./$OWN/member.$RUN.$TAG ]]; then
        for path in ./*/"member.$RUN.$TAG" ./.[!.]*/"member.$RUN.$TAG"; do
            path=${path#./}
            [[ -L ./${path%/*} ]] || places+=("${path%/*}")
        done
    fi
    for path in ${places[@]+"${places[@]}"}; do
        remove_from "$path" leave || status=1
    done
    ((status)) || echo end
}

# Removes this run's things from the directory $1, as role $2, and the directory where it is empty then.
remove_from() {
    (
        claim_entered "$1" || {
            say_left "$1: $REASON"
            exit 1
        }
        as_worker "$2"
    ) && leave_directory "$1"
}

# Removes a directory where nobody needs it any more, that is: where it is empty. Never follows a link.
leave_directory() {
    local said
    said=$(rmdir -- "./$1" 2>&1) && return
    [[ $said == *'not empty'* || $said == *'No such file'* || $said == *'Not a directory'* ]] && return
    fault_of "$said"
    say_left "$1: $FAULT"
    return 1
}

say_left() {
    printf 'left %s\n' "$1"
}
