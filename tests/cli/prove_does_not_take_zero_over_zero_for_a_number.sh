cat > "$SCRATCH/m.ham" <<'MODEL'
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint z' = y*x'
initial x = 0, y = 1, x' = 1, y' = 0.3
claim square: (z' - y*x')^2/(z' - y*x') = 0
claim one: (z' - y*x')/(z' - y*x') = 1
claim rate: (z'' - y*x'' - y'*x')/(z'' - y*x'' - y'*x') = 2
claim root: sqrt(-x'^2 - 1)^2 = -x'^2 - 1
claim fine: (z' - y*x' + x')/(z' - y*x' + x') = 1
claim zero: (z' - y*x')/x' = 0
claim here: x/x = 1
invariant ratio = (z' - y*x')/(z' - y*x')
MODEL
"$HAMEL" prove "$SCRATCH/m.ham" --form maggi
