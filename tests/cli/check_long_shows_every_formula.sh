$HAMEL check t15_3_3_unicycle
$HAMEL check t15_3_3_unicycle --long >"$SCRATCH/long"
$HAMEL check t15_3_3_unicycle --json >"$SCRATCH/json"
grep -c . "$SCRATCH/long"
grep '^quasi' "$SCRATCH/long"
grep -A1 '^special' "$SCRATCH/long"
$HAMEL check t15_3_3_unicycle --long --json | cmp - "$SCRATCH/json" && echo 'JSON is complete either way'
