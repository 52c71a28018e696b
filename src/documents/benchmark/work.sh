# The worker, and the frame around each workload.

work() {
    ROLE=work
    read_parameters
    ((EUID == WORKER_UID)) || refuse "the worker is user $EUID instead of $WORKER_UID: setpriv did not do its work"
    # It is how the worker sees that it is alone.
    alive "$MAIN" "$MAIN_STARTED" || refuse '/proc hides the processes of other users (hidepid): mount it without'
    local beating place
    OFFSET=0 LEFT_BEHIND='' EXPECTED='' LOCAL_DIRECTORY=''
    if [[ -n ${DISK-} ]]; then LOCAL_DIRECTORY=/proc/$$/fd/$DISK; fi
    join
    # For tools that want a home, and a place that is removed afterwards.
    export HOME=/ TMPDIR=${LOCAL_DIRECTORY:-/proc/$$/cwd}/$DATA
    [[ -z $ROOM ]] || TMPDIR=$ROOM/disk/$DATA
    echo joined
    beat $$ 2>/dev/null </dev/null &
    beating=$!
    disown "$beating"
    sweep left.*
    if ((INSTANCES > 1)); then
        measure_offset
        together start
    fi
    for ((place = 0; place < ${#WORKLOADS[@]}; ++place)); do
        alive "$MAIN" "$MAIN_STARTED" || break
        read_workload "${WORKLOADS[place]}"
        run_workload "$place"
    done
    kill -KILL "$beating" 2>/dev/null
    leave
    exit
}

# Runs the workload at place $1 of the plan, and tells its result.
run_workload() {
    local base=$DATA
    PLACE=$1
    if [[ $ON == local ]]; then base=$LOCAL_DIRECTORY/$DATA; fi
    DIRECTORY=$base/$PLACE
    STATUS=failed REASON=$LEFT_BEHIND STARTED_AT='' ENDED_AT='' TAKEN='' FEWER='' SET_BEFORE=0
    if [[ -n $LEFT_BEHIND ]]; then
        :
    elif ! enough_memory || ! enough_processes; then
        STATUS=skipped
    elif ! OUTPUT=$(mkdir -- "$DIRECTORY" 2>&1); then
        fault_of "$OUTPUT"
        REASON=$FAULT
    else
        case $DO in
            touch) do_touch ;;
            write) do_write ;;
            read) do_read ;;
            copy) do_copy ;;
        esac
    fi
    [[ $STATUS != ok ]] || is_member || STATUS=failed REASON=$LEFT_BEHIND
    # Whoever could not even begin keeps nobody waiting.
    if ((INSTANCES > 1)); then arrive "$PLACE"; fi
    tell
    (cd -P -- "$base" 2>/dev/null && sweep "$PLACE")
    [[ $DO != copy ]] || sweep_source
}

# dd keeps a block for each writer in memory: never more than half of what is free.
enough_memory() {
    local key kib
    while read -r key kib _; do
        [[ $key == MemAvailable: ]] || continue
        ((THREADS * BLOCK / 1024 <= kib / 2)) && return
        REASON="$THREADS blocks of $BLOCK bytes take more than half of the free memory"
        return 1
    done </proc/meminfo
}

# What starts many processes starts fewer where the host allows no more, and says nothing. Asked for are those of the
# workload, of which a copying tool has up to five each, and some around them; allowed is what the user may have, and
# what is free in each group of the agent.
enough_processes() {
    local wanted=$((THREADS + 16)) most hierarchy kinds group free
    [[ $DO != copy ]] || wanted=$((THREADS * 5 + 16))
    most=$(ulimit -u)
    [[ $most != unlimited ]] || most=$wanted
    while IFS=: read -r hierarchy kinds group; do
        case $hierarchy:$kinds in
            0:) group=$CGROUPS$group ;;
            *:pids) group=$CGROUPS/pids$group ;;
            *) continue ;;
        esac
        while [[ $group == "$CGROUPS"/* ]]; do
            free=$(cat "$group/pids.max" 2>/dev/null)
            if [[ $free =~ ^[0-9]+$ ]]; then
                ((free -= $(cat "$group/pids.current" 2>/dev/null || echo 0)))
                ((most <= free)) || most=$free
            fi
            group=${group%/*}
        done
    done </proc/self/cgroup
    ((wanted <= most)) && return
    REASON="$wanted processes are more than this host allows at a time ($most)"
    return 1
}

tell() {
    local began
    if [[ $STATUS == ok ]]; then
        if [[ -z $TAKEN ]]; then
            in_seconds "$((ENDED_AT - STARTED_AT))"
            TAKEN=$SECONDS_TEXT
        fi
        in_seconds "$((STARTED_AT + OFFSET))"
        began=$SECONDS_TEXT
        in_seconds "$((ENDED_AT + OFFSET))"
        printf 'result ok %s %s %s %s%s\n' "$PLACE" "$TAKEN" "$began" "$SECONDS_TEXT" "${FEWER:+ $FEWER}"
    else
        printf 'result %s %s %s\n' "$STATUS" "$PLACE" "${REASON//$'\n'/ }"
    fi
}

# The clock around what is measured; what that needs is made before. Several instances begin together; 1 where the others
# have begun without this one.
begin() {
    if ((INSTANCES > 1)) && ! together "$PLACE"; then
        REASON=$LEFT_BEHIND
        return 1
    fi
    clock
    STARTED_AT=$NOW SET_BEFORE=$SET_BY
}

finish() {
    clock
    ENDED_AT=$NOW
}

# STATUS ok where a command ended well ($1) and nobody set the clock meanwhile, otherwise failed with its complaint
# (OUTPUT).
judge() {
    if (($1 == 0 && SET_BY != SET_BEFORE)); then
        REASON="the clock of the instance was set by $(((SET_BY - SET_BEFORE) / 1000)) ms in the middle"
    elif (($1 == 0)); then
        STATUS=ok
    else
        fault_of "${OUTPUT//"$DIRECTORY/"/}"
        REASON=$FAULT
    fi
}
