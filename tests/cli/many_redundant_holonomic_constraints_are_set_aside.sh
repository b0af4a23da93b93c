# Each was noted twice, among coordinates and among velocities, in an array with room for once.
cat >"$SCRATCH/m.ham" <<END
coord x, y, z, u
kinetic (x'^2 + y'^2 + z'^2 + u'^2)/2
for i in 1..40 { constraint x^2 + y^2 + i*(z - u) = 1 }
initial x = 1
END
cd "$SCRATCH" && $HAMEL check m.ham | grep -c "redundant, set aside"
