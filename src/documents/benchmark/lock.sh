# One run at a time: who is in it, who leaves, what the dead have left.

# The heartbeat. It is the last resort, too, where supervisor and reaper are both gone: ends and removes what it may.
beat() {
    local worker=$1 worker_started session gone=0
    start_of "$worker" || return
    worker_started=$STARTED session=$SESSION_OF
    while alive "$worker" "$worker_started"; do
        nap "$HEARTBEAT_SECONDS"
        touch -c "member.$RUN.$TAG"
        alive "$MAIN" "$MAIN_STARTED" || ((++gone < 3)) || break
    done
    if ((gone)); then
        end_session "$session" 5
        leave
    fi
}

# Takes the gate, a directory that only one can make; FAULT and 1 where that does not succeed within 20 seconds.
# One that stands for half a minute, by the file system's own clock, was left by somebody who died in it.
take_gate() {
    local said limit=$((SECONDS + 20)) now made
    until said=$(mkdir gate 2>&1); do
        [[ $said == *'File exists'* ]] || {
            fault_of "$said"
            return 1
        }
        : >"poll.$TAG"
        now=$(stat -c %Y "poll.$TAG" 2>/dev/null) && made=$(stat -c %Y gate 2>/dev/null) &&
            ((now - made > 30)) && rmdir gate 2>/dev/null
        rm -f -- "poll.$TAG"
        if ((SECONDS >= limit)); then
            FAULT='somebody else has been changing the lock for 20 s'
            return 1
        fi
        nap "0.$((RANDOM % 20 + 10))"
    done
} 2>/dev/null

# Becomes a member of the run, or refuses. Times are the file system's own: what was touched last says what time it is.
join() {
    local now holder='' deadline='' live=0 here=0 place=0 member
    take_gate || {
        [[ $FAULT != *'No such file'* ]] || exit 75
        [[ $FAULT != *'Permission denied'* ]] ||
            refuse "user $WORKER_UID may not write in $MOUNT_PATH/$OWN: the mount maps users; use an access point"
        refuse "$MOUNT_PATH/$OWN: $FAULT"
    }
    now=$(stat -c %Y gate)
    if [[ -f lock ]]; then read -r holder deadline <lock || holder=''; fi
    [[ $holder =~ ^[a-z0-9-]+$ && $deadline =~ ^[1-9][0-9]{9}$ ]] || holder=''
    # Heartbeats long after the deadline come from a script that hangs: SSM has given it up.
    if [[ -n $holder ]] && ((now <= deadline + 120)); then
        for member in member."$holder".*; do
            ((now - $(stat -c %Y "$member" 2>/dev/null || echo 0) <= STALE_SECONDS)) || continue
            ((++live))
            member=${member#member."$holder".}
            [[ ${member%-*-*} != "$INSTANCE" ]] || here=1
        done
    fi
    if ((live)) && [[ $holder != "$RUN" ]]; then
        rmdir gate
        refuse "$holder is running on $FILE_SYSTEM ($live of its instances live): one run at a time"
    elif ((here || live >= INSTANCES)); then
        rmdir gate
        refuse "$RUN is running already, with $live of $INSTANCES instances"
    fi
    if ((!live)); then
        # Nobody is here: whatever lies about is of runs that were killed. Its files are many, and can wait for the gate.
        for member in data.*; do mv -T -- "$member" "left.$TAG.$((++place))"; done
        sweep member.* here.* go.* poll.* probe.* lock
    fi
    DATA=data.$TAG
    if ! { ((live)) || printf '%s %s\n' "$RUN" "$((now + DEADLINE_SECONDS))" >lock; } || ! touch "member.$RUN.$TAG" ||
        ! mkdir -- "$DATA"; then
        ((live)) || sweep lock
        sweep "member.$RUN.$TAG"
        rmdir gate
        refuse "$MOUNT_PATH/$OWN: nothing can be written there; is the file system full?"
    fi
    rmdir gate
    [[ -n $LOCAL_DIRECTORY ]] || return 0
    # The name has the instance in it, and of this instance nobody else runs.
    (cd -- "$LOCAL_DIRECTORY" && sweep data.* && mkdir -- "$DATA") || echo "nothing can be written in $LOCAL_DIRECTORY"
} 2>/dev/null

# Leaves the run: removes this instance's files, and with the last instance the lock.
leave() {
    ROLE=leave
    local others gate=0
    DATA=data.$TAG
    if [[ -n $LOCAL_DIRECTORY ]]; then (cd -- "$LOCAL_DIRECTORY" && sweep "$DATA"); fi
    sweep "$DATA" "poll.$TAG" "left.$TAG".*
    if take_gate; then gate=1; fi
    sweep "member.$RUN.$TAG" here.*."$TAG"
    others=(member."$RUN".*)
    if ((gate)); then
        if ((${#others[@]} == 0)) && [[ $(cat lock 2>/dev/null) == "$RUN "* ]]; then sweep here.* go.* lock; fi
        rmdir gate
    fi
    [[ ! -e $DATA ]]
}

# Removes this run's files on the instance's own disk, in the present directory.
tidy() {
    ROLE=tidy
    sweep "data.$TAG"
    [[ ! -e data.$TAG ]]
}

# Removes entries of the present directory, many at a time because each costs a round trip; follows no link, leaves no
# file system, and takes only plain names.
sweep() {
    local name
    local -a inner=() outer=()
    for name in "$@"; do
        [[ $name != */* && $name != .* && (-e $name || -L $name) ]] || continue
        if [[ -d $name && ! -L $name ]]; then inner+=("$name"/*); fi
        outer+=("$name")
    done
    if ((${#inner[@]})); then
        printf '%s\0' "${inner[@]}" | xargs -0 -P 16 -n 32 rm -rf --one-file-system -- 2>/dev/null
    fi
    if ((${#outer[@]})); then rm -rf --one-file-system -- "${outer[@]}" 2>/dev/null; fi
}
