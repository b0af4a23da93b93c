cat > "$SCRATCH/root.ham" <<'MODEL'
coord x, y
kinetic (x'^2 + y'^2)/2
dissipation 0.1*(x'^2 + y'^2)
constraint sqrt(x^2 + y^2) = 1
initial x = 1, y = 0, y' = 1
MODEL
"$HAMEL" prove "$SCRATCH/root.ham" --form maggi
sed -e '/dissipation/d' "$SCRATCH/root.ham" > "$SCRATCH/free.ham"
"$HAMEL" prove "$SCRATCH/free.ham" --form maggi
sed -e 's/^dissipation.*/force x = exp(-t)*x\nforce y = exp(-t)*y/' "$SCRATCH/root.ham" > "$SCRATCH/radial.ham"
"$HAMEL" prove "$SCRATCH/radial.ham" --form maggi
