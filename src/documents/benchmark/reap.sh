# What removes the files of a run that was killed, or that could not remove them itself.

# Waits for the end of `supervise`; one that left nothing kills this process before.
reap() {
    ROLE=reap
    trap '' HUP INT TERM
    close_the_rest
    cd /
    # The agent may remove its files once the command has ended.
    SCRIPT=$(<"$SCRIPT_FILE")
    local session begun limit patience=30
    # Killed before there was one.
    read -r session || exit
    while alive "$MAIN" "$MAIN_STARTED"; do nap 0.25; done
    uptime
    begun=$UPTIME limit=$((UPTIME + REAPER_SECONDS))
    # No more once it is gone: its number may be somebody else's by then.
    until end_session "$session" 10 || ((UPTIME > limit)); do nap 5; done
    # On a host that is slow enough no try would ever come to its end, if each had as little time as the first.
    export TRY=0
    until clean_within "$patience" || ((UPTIME > limit)); do
        ((++TRY))
        ((patience > 300)) || ((patience *= 2))
        # One at a time: those that hang would pile up for as long as the mount does.
        until end_session "$CLEANER" 1 || ((UPTIME > limit)); do nap 5; done
        if ((UPTIME - begun < 120)); then nap 5; else nap 30; fi
    done
}

# Holds the present directory, and that on the local disk as 9, for whoever removes them: whatever they are called by
# then, and wherever they are. Lets go where the file system is mounted nowhere on this host any more: what serves it,
# such as the proxy of efs-utils, may end as well, and whoever needs it then hangs.
hold() {
    trap '' HUP INT TERM
    # It is not to go where memory runs out.
    echo 0 2>/dev/null >/proc/self/oom_score_adj
    local device mounted=' '
    device=$(stat -c %d .)
    device=" $((device >> 8 & 0xfff)):$((device & 0xff | device >> 12 & 0xfff00)) "
    # Some kinds of file systems show another number there.
    [[ $(</proc/self/mountinfo) != *"$device"* ]] || mounted=$device
    while alive "$REAPER" "$REAPER_STARTED" && [[ $(<"/proc/$REAPER/mountinfo") == *"$mounted"* ]]; do nap 1; done
}

# Removes what this run left, and says `end` where nothing is left any more.
clean() {
    ROLE=clean
    read_parameters
    local status=0 name=$OWN-$FILE_SYSTEM-$INSTANCE path holder='' held by_path=0
    local -a words
    for path in /proc/[0-9]*; do
        # Root's own and this very shell, or anybody could say so: set-uid programs are root's, too.
        if [[ -O $path && $path/exe -ef /proc/$PPID/exe ]] && mapfile -d '' -t words <"$path/cmdline" && [[ "${words[*]}" == *" hold $TAG" ]]; then
            holder=$path
        fi
    done 2>/dev/null
    # First what needs no mount: it may be gone, or hang.
    if [[ -d $holder/fd/9 ]]; then
        (enter_held "$holder/fd/9" && remove_here tidy) || status=1
    else
        cd -P -- "${LOCAL_PATH:-/var/tmp}" 2>/dev/null && [[ -d ./$name && ! -L ./$name ]] && {
            (claim_again "$name" && remove_here tidy) || status=1
        }
    fi
    # A handle that is stale is no more use; others need no mount at the path any more. Every second try goes by the path
    # all the same: what is held may hang for good while another mount is there by now. What is not found there may have
    # another name.
    held=$holder
    if [[ -n $holder ]] && ((${TRY-0} % 2)); then
        held='' by_path=1
    elif [[ -n $holder && $(cd -P -- "$holder/cwd" 2>&1) == *'Stale file'* ]]; then
        held=''
    fi
    if [[ -n $held ]]; then
        (enter_held "$held/cwd" && remove_here leave) || status=1
    # Where even the path is gone, this host will not see the file system there again: what is left is for the next run.
    elif [[ $(cd -P -- "$MOUNT_PATH" 2>&1) == *'No such file'* ]]; then
        ((!by_path)) || return
        say_left "$MOUNT_PATH is gone from this host: the next run on the file system removes what lies there"
    else
        # Where something else is mounted meanwhile, or nothing, what is left cannot be seen, and nothing is touched.
        enter_mount
        ((!by_path)) || [[ -e ./$OWN/member.$RUN.$TAG || -e ./$OWN/data.$TAG ]] || return
        if [[ -d ./$OWN && ! -L ./$OWN ]]; then
            (claim_again "$OWN" && remove_here leave) || status=1
        fi
    fi
    ((!status)) || return
    [[ -z $holder ]] || kill -KILL "${holder#/proc/}"
    echo end
}

# Enters the directory $1 where it is ours; 1, and says why, where it is not.
claim_again() {
    claim_entered "$1" && return
    say_left "$1: $REASON"
    return 1
}

# Enters a directory that is held, wherever it is; 1, and says why, where it cannot.
enter_held() {
    local said
    said=$(cd -P -- "$1" 2>&1) && cd -P -- "$1" && return
    fault_of "${said#*: line *: }"
    say_left "$OWN: $FAULT"
    return 1
}

# Removes this run's things from the present directory, as role $1, and the directory.
remove_here() {
    (as_worker "$1") && leave_here
}

# Removes the present directory where nobody needs it any more, that is: where it is empty. 1, and says it, where it is
# still there although it is. Its name is asked of the kernel, since somebody may have given it another, and follows no
# link.
leave_here() {
    local name said path tries entries limit
    for tries in 1 2; do
        name=$(readlink -n /proc/self/cwd && echo /) name=${name%/}
        name=${name##*/}
        said=$(rmdir -- "../$name" 2>&1)
        ! is_gone || return 0
        [[ ! ../$name -ef . ]] || break
        # Another host has renamed it: this one's kernel learns that where it sees the new name.
        uptime
        limit=$((UPTIME + 5))
        for path in ../* ../.[!.]* ../..?*; do
            [[ -d $path ]]
            uptime
            ((UPTIME < limit)) || break
        done
    done
    [[ $said != *'not empty'* ]] || return 0
    if [[ ../$name -ef . ]]; then
        fault_of "$said"
        say_left "$OWN: $FAULT"
    else
        entries=(* .[!.]* ..?*)
        ((!${#entries[@]})) || return 0
        say_left "$OWN: somebody moved it elsewhere, where it is empty: find it with -inum $(stat -c %i .)"
    fi
    return 1
}

# Whether the present directory was removed. The server is asked by a name that this host cannot know already.
is_gone() {
    local said
    said=$'\n'$(stat -c %h . "./$TAG.$RANDOM" 2>&1)$'\n'
    [[ $said == *$'\n0\n'* || $said == *"'.': No such file"* || $said == *'Stale file'* ]]
}

say_left() {
    printf 'left %s\n' "$1"
}
