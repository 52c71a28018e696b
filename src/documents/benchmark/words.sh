# What is said, and when: moments, sleeps, JSON strings, complaints.

# Sets NOW to the microseconds since 1970, without a fork where bash knows them (5.0).
clock() {
    if [[ -n ${EPOCHREALTIME-} ]]; then NOW=${EPOCHREALTIME/[.,]/}; else NOW=$(date +%s%6N); fi
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

# Sets QUOTED to the text as a JSON string of at most $2 characters; what is not printable ASCII becomes `?`.
quote() {
    local text=${1:0:${2:-600}}
    text=${text//[^ -~]/?}
    text=${text//\\/\\\\}
    QUOTED="\"${text//\"/\\\"}\""
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

# Says why nothing is run, and ends. `supervise` prints it, the others tell `supervise`.
refuse() {
    if [[ $ROLE == supervise ]]; then print_refusal "$1"; else printf 'refused %s\n' "${1//$'\n'/ }"; fi
    exit 2
}
