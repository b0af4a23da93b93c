cat > "$SCRATCH/m.ham" <<'MODEL'
param a = 2
coord x, y, z
kinetic (x'^2+y'^2+z'^2)/2
potential abs(x) + z^2
constraint (x'-y')*z' = 0
initial x = 1, y = 0, z = 0.3, x' = 1, y' = 1, z' = 0.2
claim c1: x' = y'
claim c2: z' = 0
claim c3: sqrt((x'-y'+2)^2) = 2
invariant e = (x'^2+y'^2+z'^2)/2 + abs(x) + z^2
invariant f = sign(x)*((x'^2+y'^2+z'^2)/2 + abs(x) + z^2)
MODEL
"$HAMEL" prove "$SCRATCH/m.ham" --form maggi 2> /dev/null
