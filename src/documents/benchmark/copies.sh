# Copies from a local disk.

# Copies files from a local disk with one of the tools that the tutorials compare.
do_copy() {
    local from=$LOCAL_DIRECTORY/$DATA/from to=$PWD/$DIRECTORY tool needs status
    case $TOOL in
        cp-parallel) needs='parallel' ;;
        fpart-cpio-parallel) needs='fpart cpio parallel' ;;
        fpsync) needs='fpsync fpart rsync' ;;
        *) needs=$TOOL ;;
    esac
    for tool in $needs; do
        type -P "$tool" >/dev/null && continue
        STATUS=skipped REASON="$tool is not installed"
        return
    done
    OUTPUT=$({ mkdir -- "$from" && head -c "$((FILES * BYTES))" /dev/zero | split -b "$BYTES" -a 6 -d - "$from/f"; } 2>&1) || {
        judge 1
        return
    }
    begin || return
    OUTPUT=$(copy_files "$from" "$to" 2>&1)
    status=$?
    finish
    judge "$status"
    if [[ $STATUS == ok ]]; then came_over "$to" || STATUS=failed; fi
    (cd -- "$LOCAL_DIRECTORY/$DATA" && sweep from fpsync parts.*)
}

# The tutorials' commands, with the files' paths for theirs.
copy_files() {
    case $TOOL in
        cp) cp -r -- "$1/." "$2" ;;
        rsync) rsync -r "$1/" "$2" ;;
        fpsync) fpsync -n "$THREADS" -t "$LOCAL_DIRECTORY/$DATA/fpsync" "$1/" "$2/" ;;
        mcp) mcp -r "--threads=$THREADS" "$1/." "$2" ;;
        cp-parallel) cd -- "$1" && printf '%s\n' ./* | parallel --will-cite -j "$THREADS" cp {} "$2" ;;
        fpart-cpio-parallel)
            # The one list is parts.0, and parts.1 with newer versions of fpart.
            cd -- "$1" && fpart -n 1 -o ../parts . 2>/dev/null && parallel --will-cite -j "$THREADS" \
                --pipepart --round-robin --delay .1 --block 1M -a ../parts.[01] "cpio -dpmL $2"
            ;;
    esac
}

# Whether all files are there, whole; REASON otherwise.
came_over() {
    local size count=0 bytes=0
    while read -r size; do
        ((++count, bytes += size))
    done < <(printf '%s\0' "$1"/f* | xargs -0 stat -c %s 2>/dev/null)
    ((count == FILES && bytes == FILES * BYTES)) && return
    REASON="$count of $FILES files and $bytes of $((FILES * BYTES)) bytes came over"
    return 1
}
