"$HAMEL" derive rs_3_1_cartesian_particle --form cartesian; "$HAMEL" eval rs_3_1_cartesian_particle --form cartesian --digits 20 --at "z = 0.5, y' = 3"
cat > "$SCRATCH/fails.ham" <<'X'
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint edge: x' = z*y'
cartesian y' = 1
cartesian z' = y
initial x = 1
X
"$HAMEL" derive "$SCRATCH/fails.ham" --form cartesian
