# The rows are the same; the summary says how they came about.
unset CC
run() { # run NAME OPTIONS..
    name=$1
    shift
    "$HAMEL" simulate sleigh --method tsit5 "$@" -o "$SCRATCH/$name.csv" | sed -n "1s/.*, /$name: /p"
}
run interpreted --exec interpreted
run short
run compiled --exec compiled
run known
CC=/nonexistent
export CC
run without --exec compiled
unset CC
for name in short compiled known without; do
    cmp "$SCRATCH/interpreted.csv" "$SCRATCH/$name.csv" && echo "$name: the same rows"
done
"$HAMEL" simulate sleigh --method tsit5 --exec compiled --json | grep -o '"execution":"[a-z]*"'
"$HAMEL" simulate sleigh --exec fast
