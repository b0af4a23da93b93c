# `check` and `describe` say what contacts, resets and clocks are, and how to name a mode.
cat >"$SCRATCH/ball.ham" <<'M'
system ball "a ball on a rough floor, a wall, a kick and a clock"
param m = 1, g = 9.81, r = 0.1, mu = 0.3
input u = 2
coord x, z, th
body ball: mass m at (x, 0, z) inertia (2/5*m*r^2, 2/5*m*r^2, 2/5*m*r^2) rotation rot(y, th)
gravity (0, 0, -g)
force x = u
contact floor: gap z - r, at ball (x, 0, z - r), normal (0, 0, 1), friction 2*mu, mu, restitution 0.5
contact wall: gap 3 - x - r
when kick: x - 1 { x' = -x', th = 0 }
every 0.1 { u = -x }
initial x' = 1, z = r
M
M="$SCRATCH/ball.ham"
$HAMEL check "$M" | sed -n '/^inputs/,/^type/p'
$HAMEL describe "$M"
echo "-- sticking"
$HAMEL describe "$M" --set 'mode[floor]=sticking' | grep floor
echo "-- JSON"
$HAMEL check "$M" --json --set 'mode[floor]=sliding-' | grep -o '"contacts":.*"chaplygin"'
$HAMEL describe "$M" --json --set 'mode[floor]=sliding-' | grep -o '"rolling":.*"givens"'
