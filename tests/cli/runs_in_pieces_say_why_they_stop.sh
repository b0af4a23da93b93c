cd "$SCRATCH"
try() {
    echo "-- $1"
    cat >m.ham
    status=0
    $HAMEL simulate m.ham 2>errors >/dev/null || status=$?
    grep -v '|' errors
    echo "status $status"
}
try "friction below 0" <<'M'
coord x, z
point P: mass 1 at (x, 0, z)
gravity (0, 0, -9.81)
contact floor: gap z, at P, normal (0, 0, 1), friction -0.3
initial x' = 1
M
try "a reset against a constraint" <<'M'
coord x, y
kinetic (x'^2 + y'^2)/2
constraint ring: x^2 + y^2 = 1
initial x = 1, y' = 1
when up: y - 0.5 { x = 1, y = 1 }
M
try "a clock that ticks too often" <<'M'
coord x
input u
kinetic x'^2/2
force x = u
every 1e-10 { u = -x }
initial x = 1
M
try "resets that accumulate" <<'M'
coord z
point P: mass 1 at (0, 0, z)
gravity (0, 0, -9.81)
initial z = 1
when bounce: -z { z' = -z'/2 }
simulate t = 0 .. 3
M
try "a start inside of the floor" <<'M'
coord z
point P: mass 1 at (0, 0, z)
contact floor: gap z, at P, normal (0, 0, 1)
initial z = -1
M
try "a gap that is no distance" <<'M'
coord z
point P: mass 1 at (0, 0, z)
gravity (0, 0, -9.81)
contact floor: gap 2*z, at P, normal (0, 0, 1)
initial z = 1
M
try "a rod that is pushed into the floor" <<'M'
param l = 1, mu = 2
coord x, y, th
body rod: mass 1 at (x, 0, y) inertia (0, l^2/12, 0) rotation rot(y, -th)
gravity (0, 0, -9.81)
contact tip: gap y - l/2*sin(th), at rod (x - l/2*cos(th), 0, y - l/2*sin(th)), normal (0, 0, 1), friction mu
initial th = 1.2, y = l/2*sin(1.2), x' = -3
M
