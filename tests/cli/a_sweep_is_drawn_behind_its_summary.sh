cat >"$SCRATCH/m.ham" <<'M'
param k = 4
coord x
kinetic x'^2/2
potential k*x^2/2
initial x = 1
event left: x + 1/2 down stop
sweep x = 0 .. 1 count 5, x' in { -1, 0, 1 }
collect far = max(x), end = final(x)
simulate t = 0 .. 1
M
$HAMEL sweep "$SCRATCH/m.ham" --plot far
echo "status $?"
$HAMEL sweep "$SCRATCH/m.ham" --plot ended | tail -20
$HAMEL sweep "$SCRATCH/m.ham" --vary "x=0..1 count 5" x:end --plot | tail -19
$HAMEL sweep "$SCRATCH/m.ham" far --figure "$SCRATCH/m.svg" --json | cut -c1-40
grep -c 'class="heat"' "$SCRATCH/m.svg"
$HAMEL sweep "$SCRATCH/m.ham" for --figure "$SCRATCH/n.svg"
echo "status $?"
$HAMEL sweep "$SCRATCH/m.ham" far
echo "status $?"
$HAMEL sweep "$SCRATCH/m.ham" --plot --figure x.svg
echo "status $?"
ls "$SCRATCH" | grep svg
