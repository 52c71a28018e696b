# Other processes: whether they live, how they end, who they are.

# Whether process $1, started at clock tick $2, is still there and no zombie.
alive() {
    start_of "$1" && [[ $STARTED == "$2" && $STATE != [ZX] ]]
}

# Sets STATE, SESSION_OF and STARTED of process $1. The name in /proc/PID/stat may hold anything: what counts follows its `)`.
start_of() {
    local line
    read -r line 2>/dev/null <"/proc/$1/stat" || return 1
    fields_of "${line##*) }"
    STATE=${FIELDS[0]} SESSION_OF=${FIELDS[3]} STARTED=${FIELDS[19]}
}

# Ends every other process of session $1 with SIGKILL; 1 where some are still there after $2 seconds (hung on the mount).
# By session, not by process group: GNU parallel gives each of its jobs a group of its own.
end_session() {
    local limit path pid found
    uptime
    limit=$((UPTIME + $2))
    while :; do
        found=0
        for path in /proc/[0-9]*; do
            pid=${path#/proc/}
            start_of "$pid" || continue
            if [[ $SESSION_OF == "$1" && $STATE != [ZX] && $pid != "$BASHPID" ]]; then
                found=1
                kill -KILL "$pid" 2>/dev/null
            fi
        done
        ((found)) || return 0
        uptime
        ((UPTIME < limit)) || return 1
        nap 0.1
    done
}

# Closes whatever is open besides 0, 1, 2 and $1: the agent waits until nobody holds its pipes any more, and what root
# holds open is nothing for the worker.
close_the_rest() {
    local fd
    for fd in "/proc/$BASHPID/fd/"*; do
        fd=${fd##*/}
        if ((fd > 2)) && [[ $fd != "${1-}" ]]; then eval "exec $fd>&-" 2>/dev/null; fi
    done
}

# Runs a role of this script in the present directory as the worker. A file of the agent's is nothing that the worker
# could read, so the script goes through the environment, and no further. To be called in a subshell.
as_worker() {
    local -a become=()
    if ((EUID == 0)); then
        become=(setpriv --reuid "$NOBODYS_UID" --regid "$NOBODYS_UID" --clear-groups --no-new-privs)
    fi
    if type -P ionice >/dev/null; then become+=(ionice -c 2 -n 7); fi
    close_the_rest "${DISK-}"
    # shellcheck disable=SC2016  # for the inner bash
    SCRIPT=$SCRIPT "${become[@]}" bash -c 'export -n SCRIPT; eval "$SCRIPT"' efs-monitor-benchmark "$@"
}
