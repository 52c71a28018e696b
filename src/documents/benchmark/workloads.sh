# The commands that are measured.

# The commands of the tutorials: one `touch` process a file, in one directory; or over many directories one process a
# directory. xargs stands where they have a shell loop (one at a time) and GNU parallel (many), with less of its own time.
do_touch() {
    local each=$((FILES / DIRECTORIES))
    local directory file status
    local -a names=()
    if ((DIRECTORIES > 1)); then
        for ((directory = 1; directory <= DIRECTORIES; ++directory)); do names+=("$DIRECTORY/$directory"); done
        OUTPUT=$(mkdir -- "${names[@]}" 2>&1) || {
            judge 1
            return
        }
        names=()
        for ((directory = 1; directory <= DIRECTORIES; ++directory)); do
            for ((file = 1; file <= each; ++file)); do names+=("$DIRECTORY/$directory/$file"); done
        done
        begin || return
        OUTPUT=$(printf '%s\n' "${names[@]}" | xargs -P "$THREADS" -n "$each" touch 2>&1)
    else
        begin || return
        OUTPUT=$(seq -f "$DIRECTORY/%.0f" "$FILES" | xargs -P "$THREADS" -n 1 touch 2>&1)
    fi
    status=$?
    finish
    judge "$status"
}

# dd from /dev/zero, as in the tutorials. It need not be told to make files of its own (`conv=excl`, which costs an NFS
# client one more operation a file): the directory was made a moment ago, and is nobody else's.
do_write() {
    local how=conv=fsync
    [[ $SYNC == end ]] || how=oflag=sync
    run_dds of= if=/dev/zero "bs=$BLOCK" "count=$BYTES" iflag=count_bytes "$how"
}

# Reads past the client's cache: written files stay in it, and reading them again would measure memory.
do_read() {
    OUTPUT=$(seq -f "$DIRECTORY/%.0f" "$FILES" | xargs -P "$THREADS" -I @ \
        dd if=/dev/zero of=@ bs=1M "count=$BYTES" iflag=count_bytes conv=fsync status=none 2>&1) || {
        judge 1
        return
    }
    run_dds if= of=/dev/null "bs=$BLOCK" iflag=direct
    if [[ $STATUS == failed && $OUTPUT == *'Invalid argument'* ]]; then
        REASON='the file system refuses direct reads, and others would measure the cache'
    fi
}

# One dd on each file, THREADS at a time; $1 is the operand that takes the file. A single one is timed by itself.
run_dds() {
    local operand=$1 status copied=''
    shift
    begin || return
    if ((FILES == 1)); then
        OUTPUT=$(dd "$operand$DIRECTORY/1" "$@" 2>&1)
    else
        OUTPUT=$(seq -f "$operand$DIRECTORY/%.0f" "$FILES" | xargs -P "$THREADS" -n 1 dd status=none "$@" 2>&1)
    fi
    status=$?
    finish
    if ((FILES == 1 && status == 0)); then
        # Bytes and seconds, never the rate, which is rounded.
        if [[ $OUTPUT =~ ([0-9]+)\ bytes?\ [^$'\n']*copied,\ ([0-9.e+-]+)\ s ]]; then
            copied=${BASH_REMATCH[1]} TAKEN=${BASH_REMATCH[2]}
        fi
        if [[ $copied != "$BYTES" ]]; then OUTPUT="dd: copied ${copied:-unknown} of $BYTES bytes" status=1; fi
        # Too short for dd's clock: then for ours.
        [[ $TAKEN == *[1-9]* ]] || TAKEN=''
    fi
    # The records are told before the complaint.
    if ((status)) && [[ $'\n'$OUTPUT =~ $'\n'([^$'\n']*:[^$'\n']*) ]]; then OUTPUT=${BASH_REMATCH[1]}; fi
    judge "$status"
}
