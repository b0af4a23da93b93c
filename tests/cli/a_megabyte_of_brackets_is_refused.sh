head -c 1000000 /dev/zero | tr "\0" "(" | "$HAMEL" check - 2>"$SCRATCH/err"
status=$?
cut -c 1-120 "$SCRATCH/err" >&2
exit $status
