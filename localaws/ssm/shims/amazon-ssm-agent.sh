# shellcheck shell=sh
# The agent of an instance, asked for its version.
echo "SSM Agent version: $(/bin/cat "${0%/*}/host/agent_version")"
