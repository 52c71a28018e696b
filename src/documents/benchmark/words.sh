# What is said, and when: moments, sleeps, JSON strings, complaints.

# Sets UPTIME to the seconds, and TICKS to the hundredths, since the kernel began: a clock that nobody can set. Bash's
# own SECONDS follows the clock of the host.
uptime() {
    read -r TICKS _ </proc/uptime
    TICKS=$((10#${TICKS/./})) UPTIME=$((TICKS / 100))
}

# Sets NOW to the microseconds since 1970, as they were if nobody had set the clock since the first call, and SET_BY to
# those by which somebody has, where it is more than a hundredth or two. Both clocks are read in one hundredth.
clock() {
    local ticks=none tries=0 ahead
    uptime
    until [[ $ticks == "$TICKS" ]] || ((++tries > 50)); do
        ticks=$TICKS
        if [[ -n ${EPOCHREALTIME-} ]]; then NOW=${EPOCHREALTIME/[.,]/}; else NOW=$(date +%s%6N); fi
        uptime
    done
    ((ahead = NOW - TICKS * 10000))
    : "${AHEAD:=$ahead}" "${SET_BY:=0}"
    if ((ahead - AHEAD > 35000 || AHEAD - ahead > 35000)); then ((SET_BY += ahead - AHEAD, AHEAD = ahead)); fi
    ((NOW -= SET_BY))
}

# Microseconds as seconds with six decimals, into SECONDS_TEXT.
in_seconds() {
    printf -v SECONDS_TEXT '%d.%06d' "$(($1 / 1000000))" "$(($1 % 1000000))"
}

# Sleeps without a fork: nothing ever comes through a pipe that nobody writes to.
nap() {
    [[ -n ${QUIET-} ]] || exec {QUIET}<> <(:)
    read -r -t "$1" -u "$QUIET" _ || true
}

# Sets FIELDS to the parts of a text between blanks, or between the characters $2. A here-string would need a file in
# TMPDIR on bash before 5.1.
fields_of() {
    local IFS=${2-$' \t\n'}
    set -f
    # shellcheck disable=SC2206  # it is to be split
    FIELDS=($1)
    set +f
}

# Sets QUOTED to the text as a JSON string of at most $2 characters; what is not printable ASCII becomes `?`, and what
# JSON would need more than a character for becomes its like.
quote() {
    local text=${1:0:${2:-600}}
    text=${text//[^ -~]/?}
    text=${text//\\//}
    QUOTED="\"${text//\"/\'}\""
}

# Sets FAULT to what a person reads of a command's complaint: what it means, or its first line.
fault_of() {
    local line=${1%%$'\n'*}
    case $1 in
        *'Read-only file system'*) FAULT='the file system is mounted read-only' ;;
        *'Stale file handle'*) FAULT='stale file handle: unmount and mount the file system again' ;;
        *'No space left on device'*) FAULT='no space left on device' ;;
        *'Disk quota exceeded'*) FAULT='disk quota exceeded' ;;
        *'Transport endpoint is not connected'*) FAULT='the mount is dead (transport endpoint is not connected)' ;;
        *'Input/output error'*) FAULT='input/output error' ;;
        *) FAULT=${line:0:120} ;;
    esac
    [[ -n $FAULT ]] || FAULT='it failed without a word'
}

# Says why nothing is run, and ends: with 1 where something is left nevertheless. `supervise` prints it, the others tell
# `supervise`.
refuse() {
    if [[ $ROLE == supervise ]]; then
        trap - EXIT
        print_refusal "$1"
    else
        printf 'refused %s\n' "${1//$'\n'/ }"
    fi
    exit "$((${REST-0} ? 1 : 2))"
}
