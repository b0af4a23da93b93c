cat > "$SCRATCH/axes.ham" <<'MODEL'
coord x, y
kinetic (x'^2 + y'^2)/2
constraint x*y = 0
initial x = 1, y = 0, x' = 1
claim wrong: x = 0
claim moving: x' = 0
claim turned: x + y*x' = 0
MODEL
cd "$SCRATCH" && "$HAMEL" prove axes.ham --form maggi | grep -A1 '^claim'
