# shellcheck shell=sh
# `setpriv` where the agent itself is no root: nobody can become somebody else, so the command just runs.
while [ $# -gt 0 ]; do
    case $1 in
        --) shift && break ;;
        --reuid | --regid | --groups | --bounding-set | --inh-caps | --ambient-caps | --pdeathsig) shift 2 ;;
        -*) shift ;;
        *) break ;;
    esac
done
exec "$@"
