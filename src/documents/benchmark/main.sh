# The role of this process. One line calls it and ends, so that nothing is read of the file any more.
main() {
    local role=${1-supervise}
    case $role in
        supervise) supervise ;;
        prepare) prepare ;;
        work) work ;;
        leave) leave || weigh ;;
        tidy) tidy || weigh ;;
        clean) clean ;;
        reap) reap ;;
        hold) hold ;;
        metadata) metadata "$2" "$3" ;;
        *) exit 64 ;;
    esac
}

SCRIPT_FILE=${BASH_SOURCE[0]-}
main "$@"; exit
