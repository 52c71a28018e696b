# What the agent started.

supervise() {
    ROLE=supervise
    DEADLINE=0 REASON='' REFUSED='' MOUNTED='' RUN=''
    MACHINE='"instance_type":"unknown","kernel":"unknown"' AGENT_AND_TOOLS='"agent":"unknown","tools":{},"user":"0"'
    INSTANCE=${AWS_SSM_INSTANCE_ID-}
    [[ $INSTANCE =~ ^m?i-[0-9a-f]{8,17}$ ]] || INSTANCE=unknown
    if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
        refuse "bash $BASH_VERSION is too old: 4.4 or newer is needed"
    fi
    read_parameters
    SCRIPT=$(<"$SCRIPT_FILE")
    local tool
    for tool in dd findmnt nice seq setpriv setsid stat touch xargs; do
        type -P "$tool" >/dev/null || refuse "$tool is not installed; bash, coreutils, util-linux and findutils are needed"
    done
    DEADLINE=$((SECONDS + DEADLINE_SECONDS))
    WORKER_UID=$EUID
    if ((EUID == 0)); then
        WORKER_UID=$NOBODYS_UID
        nobody_has_the_number
    fi
    start_of $$
    export RUN WORKER_UID MAIN=$$ MAIN_STARTED=$STARTED INSTANCE TAG="$INSTANCE-$$-$RANDOM$RANDOM"
    cd /
    exec {TOLD}< <(exec setsid nice -n 10 bash "$SCRIPT_FILE" prepare 2>&1 </dev/null)
    SESSION=$!
    setsid bash "$SCRIPT_FILE" reap "$SESSION" </dev/null >/dev/null 2>&1 {TOLD}<&- &
    REAPER=$!
    # A shutdown's SIGTERM is a deadline that came early.
    ENDING=deadline
    trap 'DEADLINE=0 ENDING="ended by a signal"' TERM INT HUP
    gather_machine
    listen
}

# A user of this host with the worker's number would own what the worker makes.
nobody_has_the_number() {
    local name number
    while IFS=: read -r name _ number _; do
        [[ $number != "$NOBODYS_UID" ]] || refuse "user id $NOBODYS_UID belongs to $name on this instance"
    done </etc/passwd
}

# Passes on what the session tells, until its end or the deadline; then sees to it that nothing is left, and exits. What
# cannot be ended or removed within 20 seconds is left to the reaper.
listen() {
    local line part='' begun=$SECONDS joined=0 ended=0 hung=0 noise=0 reported=0 failed=0
    while ((!ended)); do
        if ((!joined && (SECONDS - begun >= ANSWER_SECONDS || SECONDS >= DEADLINE))); then
            REFUSED="$MOUNT_PATH gave no answer in $((SECONDS - begun)) s: is the mount target reachable?"
            break
        elif ((SECONDS >= DEADLINE)); then
            REASON=$ENDING
            break
        fi
        IFS= read -r -t 1 -u "$TOLD" line || {
            # Above 128: nothing came for a second. Otherwise nobody is left to tell anything.
            (($? > 128)) || break
            # A time-out in the middle of a line leaves its beginning with us.
            part+=$line
            continue
        }
        line=$part$line part=''
        case $line in
            'mounted '*) MOUNTED=${line#mounted } ;;
            'refused '*) REFUSED=${line#refused } ;;
            joined)
                joined=1
                print_machine
                ;;
            'result '*)
                printf '%s\n' "${line#result }"
                [[ $line != *'"status":"failed"'* ]] || failed=1
                ((++reported))
                ;;
            end) ended=1 ;;
            # Whatever else a tool says is for whoever looks; 8,000 characters of it would reach the caller.
            *) ((noise += ${#line} + 1, noise < 6000)) && printf '%s\n' "$line" >&2 ;;
        esac
    done
    # Also after a good end: a tool may have left somebody behind.
    end_session "$SESSION" 5 || hung=1
    if [[ -n $REFUSED ]]; then
        print_refusal "$REFUSED"
        failed=2
    else
        ((joined)) || print_machine
        for ((; reported < ${#IDS[@]}; ++reported)); do
            quote "${REASON:-the worker ended early}" 120
            printf '{"type":"workload","id":"%s","status":"failed","reason":%s}\n' "${IDS[reported]}" "$QUOTED"
            ended=0 failed=1
        done
    fi
    if ((!hung)) && { ((ended)) || clean_within 15; }; then
        { kill -KILL "$REAPER" && wait "$REAPER"; } 2>/dev/null
    fi
    exit "$failed"
}

# Lets `clean` work for at most $1 seconds; 0 when nothing of this run is left.
clean_within() {
    local cleaner limit=$((SECONDS + $1))
    # shellcheck disable=SC2016  # for the inner bash
    printf '%s' "$SCRIPT" | setsid bash -c 'SCRIPT=$(cat); eval "$SCRIPT"' efs-monitor-benchmark clean >/dev/null 2>&1 &
    cleaner=$!
    while kill -0 "$cleaner" 2>/dev/null; do
        ((SECONDS < limit)) || {
            # One at a time: those that hang would pile up for as long as the mount does.
            end_session "$cleaner" 1
            return 1
        }
        nap 0.05
    done
    wait "$cleaner"
}
