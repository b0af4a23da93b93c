cd "$SCRATCH"
cat > shot.ham <<'END'
param g = 10, u = 3
coord x, y
kinetic (x'^2 + y'^2)/2
potential g*y
initial x' = u, y' = 4
event ground: y down stop
simulate t = 0 .. 2
END
"$HAMEL" sweep shot.ham --vary "g = 5 .. 20 count 2" --vary "u in {0, 3}" \
    --collect "wide = final(x), t = first(ground), n = count(ground)"
"$HAMEL" sweep shot.ham --vary "y' in {1, 30}" --collect "n = count(ground)" --json
echo
"$HAMEL" sweep shot.ham --vary "y' in {1, 30}" --collect "n = count(ground), t = first(ground)" -o rows.csv
cat rows.csv
ls *.csv*
