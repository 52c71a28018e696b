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

# One dd on each file, THREADS at a time; $1 is the operand that takes the file. Each must say that it moved a file's
# bytes; a single one is timed by itself. Its rate is rounded, and never taken.
run_dds() {
    local operand=$1 status said copied='' whole=0
    shift
    begin || return
    if ((FILES == 1)); then
        OUTPUT=$(dd "$operand$DIRECTORY/1" "$@" 2>&1)
    else
        OUTPUT=$(seq -f "$operand$DIRECTORY/%.0f" "$FILES" | xargs -P "$THREADS" -n 1 dd "$@" 2>&1)
    fi
    status=$?
    finish
    if ((status == 0)); then
        # Too short for dd's clock: then for ours.
        if ((FILES == 1)) && [[ $OUTPUT =~ copied,\ ([0-9.e+-]*[1-9][0-9.e+-]*)\ s ]]; then TAKEN=${BASH_REMATCH[1]}; fi
        fields_of "$OUTPUT" $'\n'
        for said in ${FIELDS[@]+"${FIELDS[@]}"}; do
            # Those that end at once may share a line: its end comes by itself.
            while [[ $said =~ ([0-9]+)\ bytes?\ (.*) ]]; do
                said=${BASH_REMATCH[2]}
                ((copied += BASH_REMATCH[1], whole += BASH_REMATCH[1] == BYTES))
            done
        done
        ((whole == FILES)) || OUTPUT="dd: copied ${copied:-unknown} of $((FILES * BYTES)) bytes" status=1
    fi
    # The records are told before the complaint, and another's perhaps on its line.
    if ((status)) && [[ $'\n'$OUTPUT =~ $'\n'([^$'\n']*B/s)?([^$'\n']*:[^$'\n']*) ]]; then OUTPUT=${BASH_REMATCH[2]}; fi
    judge "$status"
}
