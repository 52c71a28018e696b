# Copies from a local disk.

# What is compared of the files that came over, besides their sizes: so many of them, byte for byte.
readonly COMPARED=3
# Of the source and of the tool: the usual one, as where a copy is typed in. Under a stricter one the tools set fewer
# modes, so the server is spared a SETATTR a file. Both directories are of mode 0700: nobody else gets in.
readonly COPIES_UMASK=022

# Copies files from a local disk with one of the tools that the tutorials compare.
do_copy() {
    local from=$LOCAL_DIRECTORY/$DATA/from to=/proc/$$/cwd/$DIRECTORY temporary=$LOCAL_DIRECTORY/$DATA tool needs status parts
    if [[ -n $ROOM ]]; then from=$ROOM/disk/$DATA/from to=$ROOM/efs/$DIRECTORY temporary=$ROOM/disk/$DATA; fi
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
    if [[ -z $ROOM && $EUID == "$NOBODYS_UID" ]]; then
        STATUS=skipped REASON='this host allows no mount namespace, and without one somebody could lead the tool elsewhere'
        return
    fi
    OUTPUT=$(umask "$COPIES_UMASK" && make_source "$from" 2>&1) || {
        judge 1
        return
    }
    begin || return
    OUTPUT=$(umask "$COPIES_UMASK" && copy_files "$from" "$to" "$temporary" 2>&1)
    status=$?
    finish
    judge "$status"
    if [[ $STATUS == ok ]]; then came_over "$from" || STATUS=failed; fi
    # As many rsync as lists of files; newer ones have a `.meta` beside each.
    parts=("$temporary/fpsync/parts/"*/part.*[0-9])
    [[ $TOOL != fpsync ]] || ((${#parts[@]} >= THREADS)) || FEWER=${#parts[@]}
}

# Removes what copies need on the local disk, however far they came.
sweep_source() {
    (cd -P -- "$LOCAL_DIRECTORY/$DATA" 2>/dev/null && sweep from fpsync parts.*)
}

# The files to copy. Those that are compared differ from one another. They are written to the disk, and dropped from
# memory, as the tutorials do with all that the host keeps there.
make_source() {
    local name
    mkdir -- "$1" && head -c "$((FILES * BYTES))" /dev/zero | split -b "$BYTES" -a 6 -d - "$1/f" || return
    for name in $(compared); do
        printf '%s %s' "$name" "$TAG" | head -c "$BYTES" | dd of="$1/$name" conv=notrunc status=none || return
    done
    printf '%s\0' "$1"/f* | xargs -0 -n 500 sync -- || return
    printf '%s\0' "$1"/f* | xargs -0 -P 8 -I @ dd if=@ iflag=nocache count=0 status=none
}

# The names of the files that are compared, from the first to the last.
compared() {
    local number
    for ((number = 0; number < COMPARED && number < FILES; ++number)); do
        printf 'f%06d\n' "$((number * (FILES - 1) / (COMPARED - 1)))"
    done
}

# The tutorials' commands, with the files' paths for theirs: from $1 to $2, with $3 for what a tool keeps meanwhile.
copy_files() {
    local owner=''
    case $TOOL in
        cp) cp -r -- "$1/." "$2" ;;
        rsync) rsync -r "$1/" "$2" ;;
        fpsync) fpsync -n "$THREADS" -t "$3/fpsync" "$1/" "$2/" ;;
        mcp) mcp -r "--threads=$THREADS" "$1/." "$2" ;;
        cp-parallel) cd -P -- "$1" && printf '%s\n' ./* | parallel --will-cite -j "$THREADS" cp {} "$2" ;;
        fpart-cpio-parallel)
            # Theirs runs as root, which sets each file's owner; anybody may, to what it is, but not on every mount.
            chown -- "$EUID" "$2" 2>/dev/null && owner="-R $EUID"
            # The one list is parts.0, and parts.1 with newer versions of fpart.
            cd -P -- "$1" && fpart -n 1 -o ../parts . 2>/dev/null && parallel --will-cite -j "$THREADS" \
                --pipepart --round-robin --delay .1 --block 1M -a ../parts.[01] "cpio -dpmL $owner $2"
            ;;
    esac
}

# Whether all files are there, each of its size, and some of them the same as those in $1; REASON otherwise.
came_over() {
    local size count=0 bytes=0 whole=0 names
    while read -r size; do
        ((++count, bytes += size, whole += size == BYTES))
    done < <(printf '%s\0' "$DIRECTORY"/f* | xargs -0 stat -c %s 2>/dev/null)
    REASON="$count of $FILES files and $bytes of $((FILES * BYTES)) bytes came over"
    ((count == FILES && bytes == FILES * BYTES)) || return 1
    REASON="$whole of $FILES files came over in their size"
    ((whole == FILES)) || return 1
    fields_of "$(compared)"
    names=("${FIELDS[@]}")
    REASON='a file that came over is not what was copied'
    [[ $(cd -P -- "$1" && cksum -- "${names[@]}" 2>&1) == "$(cd -P -- "$DIRECTORY" && cksum -- "${names[@]}" 2>&1)" ]]
}
