# The parameters of the document, and the plan.

# Checks every parameter again: the document's patterns are SSM's promise, this is ours. Everything later relies on it.
read_parameters() {
    local path='^(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$'
    if [[ -z ${SSM_RunId+set} ]]; then
        refuse 'the SSM agent passed no parameters (SSM_RunId is not set): update it to 3.3.2746.0 or later'
    fi
    FILE_SYSTEM=${SSM_FileSystemId-} MOUNT_PATH=${SSM_MountPath-} LOCAL_PATH=${SSM_LocalPath-} PLAN=${SSM_Plan-}
    DEADLINE_SECONDS=${SSM_DeadlineSeconds-} INSTANCES=${SSM_Instances-}
    [[ $SSM_RunId =~ ^[a-z0-9-]{8,64}$ ]] || refuse 'RunId must be 8 to 64 of a-z, 0-9 and -'
    RUN=$SSM_RunId
    [[ $FILE_SYSTEM =~ ^fs-([0-9a-f]{8}|[0-9a-f]{17})$ ]] ||
        refuse 'FileSystemId must be fs- and 8 or 17 hexadecimal digits'
    # [^/] in the pattern would let line ends through; each part begins with no dot, so `..` cannot be one.
    [[ $MOUNT_PATH =~ $path ]] ||
        refuse 'MountPath must be an absolute path of letters, digits, _, - and ., without .. and without a final /'
    [[ -z $LOCAL_PATH || $LOCAL_PATH =~ $path ]] ||
        refuse 'LocalPath must be empty or an absolute path of letters, digits, _, - and ., without ..'
    [[ $DEADLINE_SECONDS =~ ^[1-9][0-9]{1,4}$ ]] || refuse 'DeadlineSeconds must be 10 to 99999'
    [[ $INSTANCES =~ ^[1-9][0-9]{0,2}$ ]] || refuse 'Instances must be 1 to 999'
    [[ $PLAN =~ ^[a-z0-9=,\;-]+$ ]] || refuse 'Plan must be workloads of a-z, 0-9, =, comma and -, joined by semicolons'
    ((${#PLAN} <= 8000)) || refuse "Plan has ${#PLAN} characters; 8000 are possible"
    [[ $PLAN =~ (^|[,\;])([,\;]|$) ]] && refuse 'Plan has an empty workload or an empty field'
    read_plan
}

# Splits the plan into WORKLOADS, and checks each; sets IDS, and how many bytes and files there are at most at one time.
read_plan() {
    local workload place=0
    local -A seen=()
    fields_of "$PLAN" ';'
    WORKLOADS=("${FIELDS[@]}")
    ((${#WORKLOADS[@]} <= MOST_WORKLOADS)) ||
        refuse "Plan has ${#WORKLOADS[@]} workloads; the results of $MOST_WORKLOADS fit into the output"
    IDS=() EFS_BYTES=0 EFS_FILES=0 LOCAL_BYTES=0 LOCAL_FILES=0
    for workload in "${WORKLOADS[@]}"; do
        ((++place))
        read_workload "$workload" || refuse "Plan, workload $place (${workload:0:60}): $REASON"
        [[ -z ${seen[$ID]-} ]] || refuse "Plan, workload $place: $ID is there twice"
        seen[$ID]=1
        IDS+=("$ID")
        if [[ $ON == efs ]]; then
            ((EFS_FILES < FILES)) && EFS_FILES=$FILES
            ((EFS_BYTES < FILES * BYTES)) && EFS_BYTES=$((FILES * BYTES))
        fi
        if [[ $ON == local || $DO == copy ]]; then
            ((LOCAL_FILES < FILES)) && LOCAL_FILES=$FILES
            ((LOCAL_BYTES < FILES * BYTES)) && LOCAL_BYTES=$((FILES * BYTES))
        fi
    done
}

# Sets ID ON DO TOOL THREADS BLOCK SYNC FILES DIRECTORIES BYTES from one workload; REASON and 1 where it is none.
read_workload() {
    local field key value wanted
    local -A given=()
    fields_of "$1" ','
    for field in "${FIELDS[@]}"; do
        key=${field%%=*} value=${field#*=}
        [[ $field == ?*=?* && $value != *=* ]] || { REASON="$field is not key=value"; return 1; }
        [[ -z ${given[$key]-} ]] || { REASON="$key is there twice"; return 1; }
        given[$key]=$value
    done
    case ${given[do]-} in
        touch) wanted='id on do threads files directories' ;;
        write) wanted='id on do threads block sync files bytes' ;;
        read) wanted='id on do threads block files bytes' ;;
        copy) wanted='id on do tool threads files bytes' ;;
        *) REASON="do=${given[do]-} is none of touch, write, read, copy"; return 1 ;;
    esac
    for key in $wanted; do
        [[ -n ${given[$key]-} ]] || { REASON="$key is missing"; return 1; }
    done
    for key in "${!given[@]}"; do
        [[ " $wanted " == *" $key "* ]] || { REASON="${given[do]} has no $key"; return 1; }
    done
    ID=${given[id]} ON=${given[on]} DO=${given[do]} TOOL=${given[tool]-} SYNC=${given[sync]-}
    ((${#ID} <= 64)) || { REASON='id has more than 64 characters'; return 1; }
    [[ $ON == efs || ($ON == local && $DO != copy) ]] || { REASON="on=$ON is not efs or local"; return 1; }
    [[ -z $TOOL || " $TOOLS " == *" $TOOL "* ]] || { REASON="tool=$TOOL is none of $TOOLS"; return 1; }
    [[ -z $SYNC || $SYNC == end || $SYNC == each ]] || { REASON="sync=$SYNC is not end or each"; return 1; }
    number THREADS "${given[threads]}" 256 || { REASON='threads must be 1 to 256'; return 1; }
    number FILES "${given[files]}" 100000 || { REASON='files must be 1 to 100000'; return 1; }
    number DIRECTORIES "${given[directories]-1}" 1000 || { REASON='directories must be 1 to 1000'; return 1; }
    number BLOCK "${given[block]-1}" 1073741824 || { REASON='block must be 1 byte to 1 GiB'; return 1; }
    BYTES=0
    if [[ $DO != touch ]]; then
        number BYTES "${given[bytes]}" 1099511627776 || { REASON='bytes must be 1 to 1 TiB'; return 1; }
    fi
    ((FILES % DIRECTORIES == 0)) || { REASON="$FILES files do not go evenly into $DIRECTORIES directories"; return 1; }
}

# Sets the variable named $1 to $2 where that is a decimal number from 1 to $3, or fails.
number() {
    [[ $2 =~ ^[1-9][0-9]{0,12}$ ]] && (($2 <= $3)) && printf -v "$1" '%s' "$2"
}
