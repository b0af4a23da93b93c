{ printf "coord x\nkinetic x"; head -c 500000 /dev/zero | sed "s/\x0/^x/g"; } | "$HAMEL" check - 2>"$SCRATCH/err"
status=$?
cut -c 1-120 "$SCRATCH/err" >&2
exit $status
