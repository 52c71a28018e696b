# The first line: about this host and its mount.

# Sets MACHINE to what is known of the host without asking the mount.
gather_machine() {
    local version kind tools='' name copying=''
    kind=$(cat /sys/devices/virtual/dmi/id/product_name 2>/dev/null)
    # On Nitro the firmware says the instance type; on Xen it says "HVM domU", and there only the metadata service knows.
    [[ $kind != *domU* ]] || kind=$(type_by_metadata 2>/dev/null </dev/null)
    [[ $kind =~ ^[a-z][a-z0-9-]*\.[a-z0-9-]+$ ]] || kind=unknown
    quote "$(uname -r)" 100
    MACHINE="\"instance_type\":\"$kind\",\"kernel\":$QUOTED"
    if [[ $PLAN == *do=copy* ]]; then copying='rsync fpsync mcp parallel fpart cpio'; fi
    for name in dd xargs setpriv $copying; do
        type -P "$name" >/dev/null || continue
        case $name in
            fpart | fpsync) version_in "$(limited "$name" -V)" ;;
            *) version_in "$(limited "$name" --version)" ;;
        esac
        tools+=",\"$name\":\"$VERSION\""
    done
    quote "$BASH_VERSION" 40
    tools="\"bash\":$QUOTED$tools"
    version=''
    if type -P amazon-ssm-agent >/dev/null; then version=$(limited amazon-ssm-agent -version); fi
    version_in "$version"
    AGENT_AND_TOOLS="\"agent\":\"$VERSION\",\"tools\":{$tools},\"user\":\"$WORKER_UID\""
}

# Runs what only asks, for at most two seconds.
limited() {
    timeout -s KILL 2 "$@" 2>&1 </dev/null
}

# Sets VERSION to the first version number in a text.
version_in() {
    if [[ $1 =~ [0-9]+(\.[0-9]+)* ]]; then VERSION=${BASH_REMATCH[0]}; else VERSION=unknown; fi
}

# The instance type from the metadata service (version 2), each step within a second; nothing where it does not answer.
type_by_metadata() {
    local token
    token=$(timeout -s KILL 1 bash "$SCRIPT_FILE" metadata 'PUT /latest/api/token' 'X-aws-ec2-metadata-token-ttl-seconds: 60')
    [[ $token =~ ^[A-Za-z0-9_=+/-]+$ ]] || return
    timeout -s KILL 1 bash "$SCRIPT_FILE" metadata 'GET /latest/meta-data/instance-type' "X-aws-ec2-metadata-token: $token"
}

metadata() {
    local status line
    exec 3<>/dev/tcp/169.254.169.254/80 || exit 1
    printf '%s HTTP/1.0\r\nHost: 169.254.169.254\r\n%s\r\n\r\n' "$1" "$2" >&3
    read -r _ status _ <&3
    [[ $status == 200 ]] || exit 1
    while IFS= read -r line <&3 && [[ $line != $'\r' ]]; do :; done
    IFS= read -r line <&3
    printf '%s' "$line"
}

# The line about the machine; $1 is more of it.
print_machine() {
    quote "${MOUNTED#* }"
    local options=$QUOTED ahead=${MOUNTED%% *}
    # A tool may have said it.
    [[ $ahead =~ ^(0|[1-9][0-9]{0,9})$ ]] || ahead=null
    quote "$INSTANCE"
    printf '{"type":"machine","version":1,"run":"%s","instance":%s,%s,"mount_options":%s,"read_ahead_kb":%s,%s%s}\n' \
        "$RUN" "$QUOTED" "$MACHINE" "$options" "$ahead" "$AGENT_AND_TOOLS" "${1-}"
    SAID=1
}

print_refusal() {
    local why=$1
    quote "$why" 800
    print_machine ",\"refused\":$QUOTED"
    printf '%s\n' "$why" >&2
}
