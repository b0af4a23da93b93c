# log(theta') is constant in the classical motion of the Appell-Hamel machine; in vakonomic motion theta' becomes negative. The run stops, names what has no value, and
# keeps the last row that had all of them; compare looks at the motions alone and goes on.
"$HAMEL" simulate appell_hamel --form vakonomic --method tsit5 --json >"$SCRATCH/out"; echo "exit $?"
grep -o '"outcome":"[^"]*"' "$SCRATCH/out"
grep -ci '[^a-z]nan\|[^a-z]inf' "$SCRATCH/out"
"$HAMEL" compare appell_hamel maggi vakonomic --every 0.5 --method tsit5 | grep '^  [0-9.]* '
