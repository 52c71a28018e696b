# Several instances that begin together.

# Microseconds: the moment is a second and a half after it was written.
readonly FURTHEST_BEGIN=10000000

# Waits until every instance is ready for workload $1, and then for the moment at which all begin. Who is not there in
# time is left behind: the others go on without it, and it fails what is left of its plan.
#
# Whoever first sees all of them writes the moment, by the file system's clock; only one can make that file.
together() {
    local place=$1 limit moment='' list='' left
    local -a others
    uptime
    limit=$((UPTIME + GATHER_SECONDS))
    arrive "$place"
    # Somebody's file of that name may be there before its one line is.
    until read -r moment list 2>/dev/null <"go.$RUN.$place"; do
        if everybody "$place" "$limit"; then
            clock
            # Looked up after that was found true: whoever came in between is one of them.
            others=(here."$place".*)
            (
                set -o noclobber
                printf '%s %s\n' "$((NOW + OFFSET + 1500000))" "${others[*]#here."$place".}" >"go.$RUN.$place"
            ) 2>/dev/null
        fi
        nap 0.2
        look_anew
    done
    # Bash takes what it calculates with for an expression, and runs a command in a subscript of one.
    if [[ ! $moment =~ ^[1-9][0-9]{15}$ || ! $list =~ ^[A-Za-z0-9\ -]+$ ]]; then
        LEFT_BEHIND='barrier: somebody else wrote the moment at which all begin'
        return 1
    fi
    EXPECTED=$list
    if [[ " $list " != *" $TAG "* ]]; then
        LEFT_BEHIND='barrier: the others began without this instance, which came too late'
        return 1
    fi
    clock
    ((left = moment - OFFSET - NOW))
    if ((left > FURTHEST_BEGIN)); then
        LEFT_BEHIND='barrier: the moment at which all begin is too far away: are the clocks set?'
        return 1
    elif ((left > 0)); then
        in_seconds "$left"
        nap "$SECONDS_TEXT"
    fi
}

arrive() {
    : >"here.$1.$TAG"
}

# Whether all that are still expected are ready for workload $1. At the start that is so many as the plan says, until the
# uptime $2; later those of the workload before, but for those that are gone or have no heartbeat any more.
everybody() {
    local place=$1 tag now heartbeat others
    if [[ $place == start ]]; then
        others=(here.start.*)
        uptime
        ((${#others[@]} >= INSTANCES || UPTIME >= $2))
        return
    fi
    for tag in $EXPECTED; do
        [[ -e here.$place.$tag ]] && continue
        heartbeat=$(stat -c %Y "member.$RUN.$tag" 2>/dev/null) || continue
        clock
        now=$(((NOW + OFFSET) / 1000000))
        ((now - heartbeat > STALE_SECONDS)) || return 1
    done
}

# Sets OFFSET to the microseconds by which the file system's clock is ahead of this host's, to within half a round trip.
measure_offset() {
    local before made
    clock
    before=$NOW
    : >"poll.$TAG"
    clock
    made=$(stat -c %.6Y "poll.$TAG")
    OFFSET=$((${made/./} - (before + NOW) / 2))
    rm -f -- "poll.$TAG"
}
