#!/bin/bash
# Measures one EFS file system from this instance: dd, touch and copies in a directory of its own, one JSON line each.
#
# The SSM agent runs this as root, with the document's parameters in the environment (SSM_RunId ...). Five processes,
# one script:
#   supervise  what the agent started. Never touches the file system, so that nothing can hang it: reads what the
#              session tells, prints it, and at the deadline ends every process of the session.
#   prepare    root, leader of a session of its own: proves that the path is the file system, makes the directory.
#   work       the same session, as nobody's user: takes the lock, runs the workloads, removes its files.
#   reap       another session. The agent's SIGKILL to the process group leaves it alive: sees that `supervise` is
#              gone, ends the session, removes the files.
#   hold       one more: has the directories open, so that they are found whatever somebody calls them meanwhile.
#
# Needs bash 4.4 or newer, coreutils, util-linux and findutils. Found through PATH: cat chown cksum date dd findmnt head
# mkdir mv nice readlink rm rmdir seq setpriv setsid split stat sync timeout touch uname xargs; when there: getent, ionice,
# mount, unshare, amazon-ssm-agent and the copying tools. Beside them it reads /proc, /sys/class/bdi, /sys/fs/cgroup,
# /etc/passwd and /var/run/efs.
#
# On the file system, in `.efs-monitor-benchmark` (mode 0700, of the worker's user, removed with the last run in it):
#   gate/TAG              a directory: who has made it may change what follows, as long as its tag is in it
#   lock.RUN              the deadline of the run, of which there is one at a time, and whose instances all share it
#   member.RUN.TAG        an instance of the run, its heartbeat every 10 s
#   here.N.TAG, go.RUN.N  who is ready for workload N, and when all begin
#   data.TAG              the files of one instance; left.TAG.N those of one that was killed, until they are gone

set -u -o pipefail
# uutils has its language from LANG, whatever the others say.
export LC_ALL=C LANG=C
unset LANGUAGE LC_MESSAGES LC_NUMERIC BASH_ENV ENV CDPATH GLOBIGNORE POSIXLY_CORRECT
IFS=$' \t\n'
umask 077
shopt -s nullglob

readonly OWN=.efs-monitor-benchmark
# Above the users of distributions and systemd's dynamic users (61184 to 65519), below what containers are given (100000
# and up): nobody hands it out. /etc/passwd is asked nevertheless. https://systemd.io/UIDS-GIDS/
readonly NOBODYS_UID=86464
readonly HEARTBEAT_SECONDS=10
# A host that says nothing for so long is dead: six heartbeats.
readonly STALE_SECONDS=60
# Who stalls in the gate for so long finds it opened by another.
readonly GATE_SECONDS=30
# How long what a run could not remove is tried again, every half minute.
readonly REAPER_SECONDS=86400
# How long the mount may take to answer before a first workload starts, and instances may wait for one another at first.
readonly ANSWER_SECONDS=60
readonly GATHER_SECONDS=90
# How many files a process of this script may need open at a time, with some to spare.
readonly OPEN_FILES=64
# Less than 24,000 bytes of output reach the caller: so many results of at most 250.
readonly MOST_WORKLOADS=90
readonly TOOLS='cp rsync fpsync mcp cp-parallel fpart-cpio-parallel'
readonly STATES=/var/run/efs
readonly CGROUPS=/sys/fs/cgroup
