# A directory of our own in a place where others may plant things.

# Makes ./$1 (mode 0700, the worker's) or checks that what is there is ours, and enters it; REASON and 1 where it is not,
# or 2 where what was made in vain is still there, to be removed later. What nobody will find again is told.
# All that counts is asked of, and done to, the directory that was entered: a name may lead elsewhere a moment later.
claim() {
    local said made=0 above parent since entered
    exec {above}<.
    parent=$(readlink /proc/self/cwd)
    printf -v since '%(%s)T' -1
    if ! said=$(mkdir -m 700 -- "./$1" 2>&1); then
        if [[ -L ./$1 ]]; then
            REASON='a symbolic link is in its place; nothing was followed: remove it'
            return 1
        elif [[ ! -e ./$1 ]]; then
            fault_of "$said"
            REASON="cannot be made: $FAULT"
            [[ $said != *'Permission denied'* ]] ||
                REASON+=' (where a file system policy is set, root needs elasticfilesystem:ClientWrite and ClientRootAccess)'
            return 1
        elif [[ ! -d ./$1 ]]; then
            REASON='something that is no directory is in its place: remove it'
            return 1
        fi
    else
        made=1
    fi
    claim_entered "$1"
    entered=$?
    ((entered && made)) || return "$entered"
    # What was made in vain goes again, where it was made. Between the making and the entering somebody may have moved it.
    if ((entered == 1)); then
        said=$(rmdir -- "/proc/$BASHPID/fd/$above/$1" 2>&1) && return 1
        [[ $said == *'No such file'* || $said == *'Not a directory'* ]] || return 2
    fi
    said="$parent/$1: somebody moved it away when it was just made, and it stays, empty"
    printf 'moved %s: look with find %s -maxdepth 1 -type d -empty -newermt @%d ! -name %s\n' \
        "$said" "$parent" "$((since - 60))" "$1"
    return 1
}

# Enters ./$1 where it is a directory of our own; REASON and 1 where it is not, or 3 where another has made it.
claim_entered() {
    local owner mode device above parent said entries maker
    above=$(stat -c %d .)
    parent=$(readlink /proc/self/cwd)
    REASON='cannot be entered'
    cd -P -- "./$1" 2>/dev/null || return 1
    # A link that came into its place since was followed: asked of the kernel, not of names.
    REASON='is not where it was a moment ago: somebody moves directories there'
    [[ $(readlink /proc/self/cwd) == "$parent/$1" ]] || return 1
    read -r owner mode device < <(stat -c '%u %a %d' .)
    REASON='is on another device: something is mounted there'
    [[ $device == "$above" ]] || return 1
    REASON="has mode $mode instead of 700: it is not ours, or somebody changed it"
    # What is made in a directory with a setgid bit has one as well.
    [[ $mode == 700 || $mode == 2700 ]] || return 1
    [[ $owner != "$WORKER_UID" ]] || return 0
    if [[ $owner == 0 ]]; then
        # Made just now, or by a run that was killed before this line; ours only while it is empty.
        entries=(* .[!.]*)
        REASON='belongs to root and is not empty: it is not ours'
        ((${#entries[@]} == 0)) || return 1
        said=$(chown "$WORKER_UID:$WORKER_UID" . 2>&1) && return
        fault_of "$said"
        REASON="cannot be given to user $WORKER_UID: $FAULT"
        return 1
    fi
    # An access point makes everybody one and the same user: then the owner is whoever owns anything made now. It is made
    # inside, where who is killed here leaves it to the others; asked is what was made, whoever renames it.
    rm -f -- "poll.$TAG"
    maker=$(set -o noclobber && exec {made}>"poll.$TAG" && stat -L -c %u "/proc/$BASHPID/fd/$made")
    rm -f -- "poll.$TAG"
    REASON="belongs to user $owner: it is not ours"
    [[ $owner == "$maker" ]] || return 3
} 2>/dev/null
