cat >"$SCRATCH/ball.ham" <<'END'
param r = 0.1, R = 1
coord x, y, z, phi
body b: mass 1 at (x, y, z) inertia (1, 1, 1) rotation rot(x, phi)
roll b as ball r on plane
touch wall: b as ball r on cylinder R inside
END
"$HAMEL" describe "$SCRATCH/ball.ham"
"$HAMEL" describe "$SCRATCH/ball.ham" --json
