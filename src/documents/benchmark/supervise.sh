# What the agent started.

supervise() {
    ROLE=supervise
    DEADLINE=0 REASON='' REFUSED='' MOUNTED='' LEFT='' MOVED='' RUN='' REPORTED=0 SAID=0
    MACHINE='"instance_type":"unknown","kernel":"unknown"' AGENT_AND_TOOLS='"agent":"unknown","tools":{},"user":"0"'
    INSTANCE=${AWS_SSM_INSTANCE_ID-}
    [[ $INSTANCE =~ ^m?i-[0-9a-f]{8,17}$ ]] || INSTANCE=unknown
    trap break_off EXIT
    if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
        refuse "bash $BASH_VERSION is too old: 4.4 or newer is needed"
    fi
    read_parameters
    SCRIPT=$(<"$SCRIPT_FILE")
    local tool most
    most=$(ulimit -n)
    [[ $most == unlimited ]] || ((most >= OPEN_FILES)) ||
        refuse "no more than ${most:-a few} files may be open at a time: $OPEN_FILES are needed (ulimit -n)"
    for tool in cat chown cksum date dd findmnt head mkdir mv nice readlink rm rmdir seq setpriv setsid split stat \
        sync timeout touch uname xargs; do
        type -P "$tool" >/dev/null || refuse "$tool is not installed; bash, coreutils, util-linux and findutils are needed"
    done
    # BusyBox's cannot: nothing that was made would ever be removed again.
    rm -f --one-file-system -- 2>/dev/null || refuse 'rm cannot stay on one file system: GNU coreutils are needed'
    uptime
    DEADLINE=$((UPTIME + DEADLINE_SECONDS))
    WORKER_UID=$EUID
    if ((EUID == 0)); then
        WORKER_UID=$NOBODYS_UID
        nobody_has_the_number
    fi
    start_of $$
    export RUN WORKER_UID MAIN=$$ MAIN_STARTED=$STARTED INSTANCE TAG="$INSTANCE-$$-$RANDOM$RANDOM"
    cd /
    # It is there before there is anything to remove, and learns a moment later whose end it sees to.
    exec {SESSIONS}> >(exec setsid bash "$SCRIPT_FILE" reap >/dev/null 2>&1)
    start_of "$!"
    export REAPER=$! REAPER_STARTED=$STARTED
    # In a mount namespace of its own it can make a place for copying tools, which nobody else sees. What the host unmounts
    # meanwhile is unmounted there, too.
    local -a apart=() slave=(--mount --propagation slave)
    if [[ $EUID == 0 && $PLAN == *do=copy* ]] && unshare "${slave[@]}" true 2>/dev/null; then apart=(unshare "${slave[@]}"); fi
    export APART=${#apart[@]}
    exec {TOLD}< <(exec setsid nice -n 10 ${apart[@]+"${apart[@]}"} bash "$SCRIPT_FILE" prepare 2>&1 </dev/null {SESSIONS}>&-)
    SESSION=$!
    # Where the reaper was killed, nobody reads it.
    (echo "$SESSION" >&"$SESSIONS") 2>/dev/null
    exec {SESSIONS}>&-
    # A shutdown's SIGTERM is a deadline that came early.
    ENDING=deadline
    trap 'DEADLINE=0 ENDING="ended by a signal"' TERM INT HUP
    gather_machine
    listen
}

# Whatever ends this process before it has said all, such as a host that is out of files or processes: what is missing is
# said. The reaper sees to the rest.
# shellcheck disable=SC2317  # a trap calls it
break_off() {
    REASON='the script broke off on this host'
    if ((!SAID)); then
        print_refusal "$REASON"
        exit 2
    fi
    while ((REPORTED < ${#IDS[@]})); do print_failure "$REASON"; done
    exit 1
}

# A user of this host with the worker's number would own what the worker makes. Users of SSSD or LDAP are in no file;
# where those do not answer, the file has to do.
nobody_has_the_number() {
    local name number
    while IFS=: read -r name _ number _; do
        [[ $number != "$NOBODYS_UID" ]] || refuse "user id $NOBODYS_UID belongs to $name on this instance"
    done < <(cat </etc/passwd; limited getent passwd "$NOBODYS_UID")
}

# Passes on what the session tells, until its end or the deadline; then sees to it that nothing is left, says what is,
# and exits. What cannot be ended or removed within 20 seconds is left to the reaper.
listen() {
    local line part='' begun joined=0 ended=0 hung=0 noise=0
    FAILED=0
    uptime
    begun=$UPTIME
    while ((!ended)); do
        uptime
        if ((!joined && (UPTIME - begun >= ANSWER_SECONDS || UPTIME >= DEADLINE))); then
            REFUSED="$MOUNT_PATH gave no answer in $((UPTIME - begun)) s: is the mount target reachable?"
            break
        elif ((UPTIME >= DEADLINE)); then
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
        case $joined.$line in
            '0.mounted '*) MOUNTED=${line#mounted } ;;
            '0.refused '*) REFUSED=${line#refused } ;;
            0.joined)
                joined=1
                print_machine
                ;;
            '1.result '*) print_result "${line#result }" ;;
            '1.lost '*)
                REASON=${line#lost }
                break
                ;;
            [01].'moved '*) MOVED=${line#moved } ;;
            # `clean` will try once more, and say what is left then.
            [01].'left '*) ;;
            [01].over) break ;;
            [01].end) ended=1 ;;
            # Whatever else a tool says is for whoever looks; 8,000 characters of it would reach the caller.
            *) ((noise += ${#line} + 1, noise < 6000)) && printf '%s\n' "$line" >&2 ;;
        esac
    done
    # Also after a good end: a tool may have left somebody behind.
    end_session "$SESSION" 5 || hung=1
    # Before it has said that, nothing has been made. It may have since somebody listened last.
    while IFS= read -r -t 1 -u "$TOLD" line; do
        case $line in
            'mounted '*) MOUNTED=${line#mounted } ;;
            'moved '*) MOVED=${line#moved } ;;
        esac
    done
    if [[ -n $REFUSED ]]; then
        print_refusal "$REFUSED"
        FAILED=2
    else
        ((joined)) || print_machine
        while ((REPORTED < ${#IDS[@]})); do
            print_failure "${REASON:-the worker ended early}"
        done
    fi
    if ((hung)); then
        LEFT="$MOUNT_PATH/$OWN: what hangs on the mount cannot be ended"
    elif ((!ended)) && [[ -n $MOUNTED ]] && ! clean_within 15; then
        LEFT=${LEFT:-$MOUNT_PATH/$OWN: no answer in 15 s}
    else
        end_session "$REAPER" 2
    fi
    LEFT+=${MOVED:+${LEFT:+; }$MOVED}
    if [[ -n $LEFT ]]; then
        quote "$LEFT" 400
        printf '{"type":"left","reason":%s}\n' "$QUOTED"
        ((FAILED)) || FAILED=1
    fi
    trap - EXIT
    exit "$FAILED"
}

# Prints what the worker told of the next workload of the plan: `ok PLACE SECONDS BEGAN ENDED`, and how many processes
# there were where these were fewer than threads, or why it is not. Tools may say anything, so what is no such thing is no
# result.
print_result() {
    local whole='(0|[1-9][0-9]*)' seconds
    seconds="($whole\.[0-9]{6})"
    if [[ ! $1 =~ ^(ok|failed|skipped)\ ([0-9]+)\ (.*)$ || ${BASH_REMATCH[2]} != "$REPORTED" ]]; then
        printf '%s\n' "${1:0:200}" >&2
        return
    fi
    local status=${BASH_REMATCH[1]} said=${BASH_REMATCH[3]}
    if [[ $status != ok ]]; then
        print_failure "$said" "$status"
    elif [[ $said =~ ^($whole(\.[0-9]+)?(e[+-]?[0-9]+)?)\ $seconds\ $seconds(\ $whole)?$ ]]; then
        local took=${BASH_REMATCH[1]} began=${BASH_REMATCH[5]} over=${BASH_REMATCH[7]} fewer=${BASH_REMATCH[10]}
        read_workload "${WORKLOADS[REPORTED++]}"
        printf '{"type":"workload","id":"%s","status":"ok","files":%s,"bytes":%s,"seconds":%s,"started":%s,"ended":%s%s}\n' \
            "$ID" "$FILES" "$((FILES * BYTES))" "$took" "$began" "$over" "${fewer:+,\"processes\":$fewer}"
    else
        print_failure 'what it took cannot be read'
    fi
}

# Prints that the next workload of the plan was not measured, and why.
print_failure() {
    quote "$1" 120
    printf '{"type":"workload","id":"%s","status":"%s","reason":%s}\n' "${IDS[REPORTED++]}" "${2:-failed}" "$QUOTED"
    [[ ${2:-failed} != failed ]] || FAILED=1
}

# Lets `clean` work for at most $1 seconds; 0 when nothing of this run is left, otherwise LEFT says what is, as far as
# it is known. CLEANER is its session.
clean_within() {
    local limit line told
    uptime
    limit=$((UPTIME + $1)) LEFT=''
    # shellcheck disable=SC2016  # for the inner bash
    exec {told}< <(SCRIPT=$SCRIPT exec setsid bash -c 'export -n SCRIPT; eval "$SCRIPT"' efs-monitor-benchmark clean 2>&1)
    CLEANER=$!
    while uptime && ((UPTIME < limit)); do
        IFS= read -r -t 1 -u "$told" line || {
            (($? > 128)) || break
            continue
        }
        case $line in
            'left '* | 'refused '*) LEFT+=${LEFT:+; }${line#* } ;;
            end)
                exec {told}<&-
                return 0
                ;;
        esac
    done
    exec {told}<&-
    end_session "$CLEANER" 1
    return 1
}
