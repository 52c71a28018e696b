# The worker, and the frame around each workload.

work() {
    ROLE=work
    read_parameters
    ((EUID == WORKER_UID)) || refuse "the worker is user $EUID instead of $WORKER_UID: setpriv did not do its work"
    # It is how the worker sees that it is alone.
    alive "$MAIN" "$MAIN_STARTED" || refuse '/proc hides the processes of other users (hidepid): mount it without'
    local beating place
    OFFSET=0 LEFT_BEHIND='' EXPECTED=''
    (cd -- "${LOCAL_DIRECTORY:-.}") 2>/dev/null ||
        refuse "user $EUID cannot reach $LOCAL_DIRECTORY: give a LocalPath that everybody may enter"
    join
    # For tools that want a home, and a place that is removed afterwards.
    export HOME=/ TMPDIR=${LOCAL_DIRECTORY:-$PWD}/$DATA
    echo joined
    beat $$ >/dev/null 2>&1 </dev/null &
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
    exit 0
}

# Runs the workload at place $1 of the plan, and tells its result.
run_workload() {
    local base=$DATA
    PLACE=$1
    if [[ $ON == local ]]; then base=$LOCAL_DIRECTORY/$DATA; fi
    DIRECTORY=$base/$PLACE
    STATUS=failed REASON=$LEFT_BEHIND STARTED_AT='' ENDED_AT='' TAKEN=''
    if [[ -n $LEFT_BEHIND ]]; then
        :
    elif ! enough_memory; then
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
    # Whoever could not even begin keeps nobody waiting.
    if ((INSTANCES > 1)); then arrive "$PLACE"; fi
    tell
    (cd -- "$base" 2>/dev/null && sweep "$PLACE")
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

tell() {
    local took
    if [[ $STATUS == ok ]]; then
        if [[ -z $TAKEN ]]; then
            in_seconds "$((ENDED_AT - STARTED_AT))"
            TAKEN=$SECONDS_TEXT
        fi
        in_seconds "$((STARTED_AT + OFFSET))"
        took="\"started\":$SECONDS_TEXT"
        in_seconds "$((ENDED_AT + OFFSET))"
        printf 'result {"type":"workload","id":"%s","status":"ok","files":%s,"bytes":%s,"seconds":%s,%s,"ended":%s}\n' \
            "$ID" "$FILES" "$((FILES * BYTES))" "$TAKEN" "$took" "$SECONDS_TEXT"
    else
        quote "$REASON" 120
        printf 'result {"type":"workload","id":"%s","status":"%s","reason":%s}\n' "$ID" "$STATUS" "$QUOTED"
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
    STARTED_AT=$NOW
}

finish() {
    clock
    ENDED_AT=$NOW
}

# STATUS ok where a command ended well ($1), otherwise failed with its complaint (OUTPUT).
judge() {
    if (($1 == 0)); then
        STATUS=ok
    else
        fault_of "${OUTPUT//"$DIRECTORY/"/}"
        REASON=$FAULT
    fi
}
