export COLUMNS=70
"$HAMEL" check crane | head -2
"$HAMEL" describe crane
"$HAMEL" eval crane --at "th = 5 [deg], th' = 1 [rpm]" --digits 8
"$HAMEL" check crane --json | grep -o '"units":{[^}]*}'
LC_ALL=C "$HAMEL" plot crane "angle" "th'" "th,th'" "trolley_speed,trolley_speed:angle" --exec interpreted --until 5 | grep against
"$HAMEL" plot crane "th,th'" -o "$SCRATCH/a.svg" --exec interpreted --until 5
grep -o '>[^<]*\[[a-z/]*\][^<]*<' "$SCRATCH/a.svg"
"$HAMEL" simulate crane -o "$SCRATCH/run.h5" --until 1 --exec interpreted > "$SCRATCH/summary"
LC_ALL=C "$HAMEL" plot "$SCRATCH/run.h5" trolley_speed | grep against
"$HAMEL" simulate crane -o "$SCRATCH/run.csv" --until 1 --exec interpreted > "$SCRATCH/summary"
head -1 "$SCRATCH/run.csv"
"$HAMEL" report crane -o "$SCRATCH/page.html" > "$SCRATCH/summary"
grep -o '"unit":"[^"]*"' "$SCRATCH/page.html" | tr '\n' ' '
grep -o 'scope="row">.*m/s^2' "$SCRATCH/page.html" | sed 's/<[^>]*>//g'
"$HAMEL" describe crane --set l=3 --set "a = 1 [ft/s^2]" | tail -2
"$HAMEL" describe crane --set m=3 | grep '^m '
