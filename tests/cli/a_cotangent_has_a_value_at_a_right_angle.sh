cat > "$SCRATCH/skate.ham" <<'M'
system skate "A skate by its other velocity"
coord x, y, phi
kinetic (x'^2 + y'^2 + phi'^2)/2
constraint blade: x'*sin(phi) = y'*cos(phi)
independent y, phi
initial phi = 1, y' = 2, phi' = 1
M
"$HAMEL" derive "$SCRATCH/skate.ham" --form maggi
"$HAMEL" eval "$SCRATCH/skate.ham" --form maggi --at "phi = pi/2"
