# Other processes: whether they live, how they end, who they are.

# Whether process $1, started at clock tick $2, is still there and no zombie.
alive() {
    start_of "$1" && [[ $STARTED == "$2" && $STATE != [ZX] ]]
}

# Sets STATE, SESSION_OF and STARTED of process $1. The name in /proc/PID/stat may hold anything: what counts follows its `)`.
start_of() {
    local line
    local -a fields
    read -r line 2>/dev/null <"/proc/$1/stat" || return 1
    read -r -a fields <<<"${line##*) }"
    STATE=${fields[0]} SESSION_OF=${fields[3]} STARTED=${fields[19]}
}

# Ends every other process of session $1 with SIGKILL; 1 where some are still there after $2 seconds (hung on the mount).
# By session, not by process group: GNU parallel gives each of its jobs a group of its own.
end_session() {
    local limit=$((SECONDS + $2)) path pid found
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
        ((SECONDS < limit)) || return 1
        nap 0.1
    done
}

# Closes whatever the caller left open besides 0, 1 and 2: the agent waits until nobody holds its pipes any more.
close_the_rest() {
    local fd
    for fd in "/proc/$BASHPID/fd/"*; do
        fd=${fd##*/}
        if ((fd > 2)); then eval "exec $fd>&-" 2>/dev/null; fi
    done
}

# Runs a role of this script in the present directory as the worker. A file of the agent's is nothing that the worker
# could read, so the script goes through a pipe.
as_worker() {
    local -a become=()
    if ((EUID == 0)); then
        become=(setpriv --reuid "$NOBODYS_UID" --regid "$NOBODYS_UID" --clear-groups --no-new-privs)
    fi
    if type -P ionice >/dev/null; then become+=(ionice -c 2 -n 7); fi
    # shellcheck disable=SC2016  # for the inner bash
    printf '%s' "$SCRIPT" | "${become[@]}" bash -c 'eval "$(cat)"' efs-monitor-benchmark "$@"
}
