cat > "$SCRATCH/m.ham" <<'MODEL'
param a = 0
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint c: a*(z' - y*x') = 0
initial x = 1, y = 1, x' = 1, y' = 0.3
claim free: x'' = 0
claim bound: z' = y*x'
invariant speed = x'
MODEL
cd "$SCRATCH"; "$HAMEL" prove m.ham --form maggi
cd "$SCRATCH"; "$HAMEL" prove m.ham --form maggi --set a=1
