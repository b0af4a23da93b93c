cat >"$SCRATCH/decimals.ham" <<'M'
param g = 9.81, h = 981/100, small = 1e-4, low = -0.30, turn = pi/7, half = 0.5*0.3, n = 3
coord x
kinetic n*x'^2/2
potential g*x + h*x + small*x + low*x + turn*x + half*x
initial x = -0.250, x' = 1/4
M
$HAMEL describe "$SCRATCH/decimals.ham"
$HAMEL describe "$SCRATCH/decimals.ham" --set g=9.80 --set h=49/5 | grep '^[gh] '
$HAMEL describe "$SCRATCH/decimals.ham" --json | grep -o '"name":"g","text":"[^"]*"'
$HAMEL report "$SCRATCH/decimals.ham" -o "$SCRATCH/page.html" >/dev/null
grep -A12 'class="parameters"' "$SCRATCH/page.html" | grep -o '<td>.*</td>' 
