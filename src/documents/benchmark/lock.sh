# One run at a time: who is in it, who leaves, what the dead have left.
#
# The gate keeps apart who would change something at the same moment. It cannot be relied on: who stalls in it for half
# a minute, as a client that is cut off does, finds it opened by another. So nothing is ever removed but what has the
# name of a run, or of an instance, that was seen dead; and who has made known that it is there and then finds its tag
# gone from the gate takes that back.

# The heartbeat. It ends a worker that said nothing for so long that others took it for dead. It is the last resort,
# too, where supervisor and reaper are both gone: ends and removes what it may.
beat() {
    local worker=$1 worker_started session gone=0 last
    start_of "$worker" || return
    uptime
    worker_started=$STARTED session=$SESSION_OF last=$UPTIME
    # The worker's own, which may be gone when this is needed.
    [[ -z $LOCAL_DIRECTORY ]] || LOCAL_DIRECTORY=/proc/$BASHPID/fd/$DISK
    while alive "$worker" "$worker_started"; do
        # In short steps: an instance that stood still for long sees at once whether it was taken for dead.
        nap 1
        uptime
        ((UPTIME - last >= HEARTBEAT_SECONDS)) || continue
        last=$UPTIME
        if ! is_member; then
            printf 'lost %s\n' "$LEFT_BEHIND"
            end_session "$session" 5
            return
        fi
        alive "$MAIN" "$MAIN_STARTED" || ((++gone < 3)) || break
    done
    if ((gone)); then
        end_session "$session" 5
        leave
    fi
}

# Whether nobody has taken this instance for dead. Its file is touched by its handle: where it was removed on the server,
# the client learns that, whatever it believes to know of the directory.
is_member() {
    local said
    touch -c -- "member.$RUN.$TAG" 2>/dev/null
    said=$(stat -- "member.$RUN.$TAG" 2>&1) || [[ $said != *'No such file'* ]] && return
    LEFT_BEHIND="this instance said nothing for $STALE_SECONDS s, and another run took it for dead"
    return 1
}

# Takes the gate, a directory that only one can make, with this instance's tag in it; FAULT and 1 where that does not
# succeed within 20 seconds.
take_gate() {
    local said limit begun held=0
    uptime
    limit=$((UPTIME + 20)) begun=$UPTIME
    while :; do
        if said=$(mkdir gate 2>&1); then
            said=$({ : >"gate/$TAG"; } 2>&1) && return
            rmdir gate
            # Another has opened it meanwhile, as one in which nobody is.
            [[ $said == *'No such file'* || $said == *'Stale file'* ]] || break
        else
            [[ $said == *'File exists'* ]] || break
            open_dead_gate
        fi
        uptime
        ((UPTIME - begun <= held)) || held=$((UPTIME - begun))
        if ((UPTIME >= limit)); then
            # One without a tag may be ours all the same: the answer to who made it can be lost. Nobody is in it.
            rmdir gate
            FAULT='somebody else has been changing the lock for 20 s'
            ((held < 10)) || FAULT="the mount held this instance up for $held s while it took the lock"
            return 1
        fi
        nap "0.$((RANDOM % 20 + 10))"
        uptime
        begun=$UPTIME
    done
    fault_of "$said"
    return 1
} 2>/dev/null

# Opens a gate that stands for half a minute, by the file system's own clock: who made it has died in it, or stalls.
# Only what was in it before its age was looked up is removed, so that a new one keeps the tag of who made that.
open_dead_gate() {
    local now made
    local -a tags=(gate/* gate/.[!.]*)
    if [[ ! -d gate || -L gate ]]; then
        # No gate of this script's; where there is none at all any more, nothing happens.
        rm -f -- gate
        return
    fi
    look_anew
    now=$LOOKED_AT made=$(stat -c %Y gate) && ((now - made > GATE_SECONDS)) || return
    rm -rf --one-file-system -- ${tags[@]+"${tags[@]}"}
    rmdir gate
} 2>/dev/null

# Opens this instance's gate again. 1 where it was not its own to the end: nobody else can have been in it otherwise,
# since the server removes a tag once.
open_gate() {
    rm -- "gate/$TAG" && rmdir gate
} 2>/dev/null

# Changes something in the present directory: NFS keeps what it knows of one for a while, and looks again after a change
# of its own. Sets LOOKED_AT to the file system's time.
look_anew() {
    : >"poll.$TAG"
    LOOKED_AT=$(stat -c %Y "poll.$TAG")
    rm -f -- "poll.$TAG"
} 2>/dev/null

# Becomes a member of the run, or refuses. Times are the file system's own: what was touched last says what time it is.
join() {
    local now said begun place=0 name
    local -a lying
    take_gate || {
        # The directory was removed with another run: of a mount that is stale it is told where the next one is made.
        [[ $FAULT != *'No such file'* && $FAULT != 'stale file'* ]] || exit 75
        [[ $FAULT != *'Permission denied'* ]] ||
            refuse "user $WORKER_UID may not write in $MOUNT_PATH/$OWN: the mount maps users; use an access point"
        refuse "$MOUNT_PATH/$OWN: $FAULT"
    }
    uptime
    begun=$UPTIME now=$(stat -c %Y gate)
    # It is another's already, or nobody's.
    [[ -e gate/$TAG && $now =~ ^[0-9]+$ ]] || refuse_late "$begun"
    # Before it is asked who lives: what comes later is of somebody who does.
    lying=(data.* member.* here.* go.* poll.* lock*)
    count_the_living "$now"
    if [[ -n $HOLDER ]]; then
        open_gate || withdraw
        refuse "$HOLDER is running on $FILE_SYSTEM ($LIVING of its instances live): one run at a time"
    elif ((HERE || LIVING >= INSTANCES)); then
        open_gate || withdraw
        refuse "$RUN is running already, with $LIVING of $INSTANCES instances"
    fi
    if ((!LIVING)); then
        # Nobody is here: whatever lies about is of runs that were killed. Its files are many, and can wait for the gate.
        for name in ${lying[@]+"${lying[@]}"}; do
            [[ $name != data.* ]] || mv -T -- "$name" "left.$TAG.$((++place))"
        done
        sweep ${lying[@]+"${lying[@]}"}
    fi
    DATA=data.$TAG
    said=$({
        touch -- "member.$RUN.$TAG" && mkdir -- "$DATA" &&
            { ((LIVING)) || printf '%s\n' "$((now + DEADLINE_SECONDS))" >"lock.$RUN"; }
    } 2>&1) || {
        fault_of "$said"
        said=$FAULT
        withdraw
        refuse "$MOUNT_PATH/$OWN: $said"
    }
    open_gate || refuse_late "$begun"
    [[ -n $LOCAL_DIRECTORY ]] || return 0
    # The name has the instance in it, and of this instance nobody else runs.
    (cd -P -- "$LOCAL_DIRECTORY" && sweep data.* && mkdir -- "$DATA") || echo "nothing can be written in $LOCAL_NAME"
} 2>/dev/null

# Takes everything back, since others have passed the gate in which this instance has been since the uptime $1, or since
# it cannot be opened.
refuse_late() {
    local said
    uptime
    said=$(rm -- "gate/$TAG" 2>&1) || [[ $said == *'No such file'* || $said == *'Not a directory'* ]] || {
        fault_of "$said"
        said=$FAULT
        withdraw
        refuse "$MOUNT_PATH/$OWN: the lock cannot be opened: $said"
    }
    withdraw
    refuse "$MOUNT_PATH/$OWN: the mount held this instance up for $((UPTIME - $1)) s while it took the lock, and others may have taken it meanwhile"
}

# Sets LIVING to how many instances of this run live at the time $1, HERE where this one is among them, and HOLDER to
# another run, with its living instances, where there is one.
count_the_living() {
    local member run tag deadline
    local -A living=()
    HOLDER='' HERE=0 LIVING=0
    for member in member.*.*; do
        [[ -f $member && ! -L $member ]] || continue
        tag=${member##*.} run=${member#member.} deadline=''
        run=${run%."$tag"}
        [[ $run =~ ^[a-z0-9-]+$ ]] || continue
        (($1 - $(stat -c %Y "$member" || echo 0) <= STALE_SECONDS)) || continue
        # Heartbeats long after the deadline come from a script that hangs: SSM has given it up.
        if [[ -f lock.$run ]]; then read -r deadline <"lock.$run"; fi
        [[ ! $deadline =~ ^[1-9][0-9]{9}$ ]] || (($1 <= deadline + 120)) || continue
        living[$run]=$((${living[$run]-0} + 1))
        if [[ $run != "$RUN" ]]; then HOLDER=$run; elif [[ ${tag%-*-*} == "$INSTANCE" ]]; then HERE=1; fi
    done
    LIVING=${living[${HOLDER:-$RUN}]-0}
} 2>/dev/null

# Leaves the run: removes this instance's files, and with the last instance what the run has in common. What cannot be
# removed is said, and 1.
leave() {
    ROLE=leave
    local status=0
    if [[ -n ${LOCAL_DIRECTORY-} ]]; then (cd -P -- "$LOCAL_DIRECTORY" && tidy) || status=1; fi
    sweep "data.$TAG" "poll.$TAG" left.* here.*."$TAG"
    withdraw || status=1
    return "$status"
}

# Takes back that this instance is there, once it has nothing here any more; 1, and says it, where something is left.
withdraw() {
    local -a own others places
    # Its own, or one in which nobody is yet: who makes that finds no place for its tag, and makes another.
    if [[ -e gate/$TAG ]]; then open_gate; else rmdir gate 2>/dev/null; fi
    sweep "data.$TAG"
    own=("data.$TAG" "poll.$TAG" "gate/$TAG" left.* here.*."$TAG")
    what_is_there "${own[@]}"
    # As long as there is something, it tells whose that is.
    if ((!REST)); then
        sweep "member.$RUN.$TAG"
        own=("member.$RUN.$TAG")
        # Listed before the members are: who joins meanwhile has come nowhere yet.
        places=(here.*)
        others=(member.*)
        if ((${#others[@]} == 0)); then own+=(${places[@]+"${places[@]}"}); fi
        others=(member."$RUN".*)
        if ((${#others[@]} == 0)); then
            own+=(go."$RUN".* "lock.$RUN")
            sweep "${own[@]}"
        fi
        what_is_there "${own[@]}"
    fi
    ((REST < 2)) || FIRST+=" and $((REST - 1)) more"
    ((!REST)) || say_left "$OWN: $FIRST${UNSWEPT:+: $UNSWEPT}"
    ((!REST))
}

# Sets REST to how many of these names are there, or may be for all that can be asked, and FIRST to the first of them.
what_is_there() {
    local said line
    REST=0 FIRST=''
    said=$(stat -c %n -- "$@" 2>&1)
    while [[ -n $said ]]; do
        line=${said%%$'\n'*}
        said=${said#"$line"}
        said=${said#$'\n'}
        [[ $line == *'No such file or directory' ]] || ((REST++)) || FIRST=$line
    done
}

# Says how much is left in the present directory, as far as that can be seen within five seconds; 1.
weigh() {
    local sizes size bytes=0 least=''
    sizes=$(timeout -s KILL 5 find "data.$TAG" left.* -xdev -type f -printf '%s\n' 2>/dev/null) || least='at least '
    fields_of "$sizes"
    for size in ${FIELDS[@]+"${FIELDS[@]}"}; do ((bytes += size)); done
    ((!${#FIELDS[@]})) || say_left "$least$bytes bytes in all (files: ${#FIELDS[@]})"
    return 1
}

# Removes this run's files on the instance's own disk, in the present directory.
tidy() {
    sweep "data.$TAG"
    [[ -e data.$TAG ]] || return 0
    say_left "data.$TAG on the local disk: ${UNSWEPT-}"
    return 1
}

# Removes entries of the present directory, many at a time because each costs a round trip; follows no link, leaves no
# file system, and takes only plain names. UNSWEPT is why it could not.
sweep() {
    local name said
    local -a inner=() outer=()
    for name in "$@"; do
        [[ $name != */* && $name != .* && (-e $name || -L $name) ]] || continue
        if [[ -d $name && ! -L $name ]]; then inner+=("$name"/*); fi
        outer+=("$name")
    done
    if ((${#inner[@]})); then
        printf '%s\0' "${inner[@]}" | xargs -0 -P 16 -n 32 rm -rf --one-file-system -- 2>/dev/null
    fi
    ((${#outer[@]})) || return 0
    said=$(rm -rf --one-file-system -- "${outer[@]}" 2>&1) && return
    fault_of "$said"
    UNSWEPT=$FAULT
}
