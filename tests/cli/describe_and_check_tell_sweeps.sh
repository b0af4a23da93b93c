cat >"$SCRATCH/m.ham" <<'M'
param l = 0.5 [m], g = 9.81 [m/s^2]
coord th [rad]
kinetic 1 [kg]*l^2*th'^2/2
potential -1 [kg]*g*l*cos(th)
initial th = 1
event low: th up
sweep l = 1/3 [m] .. 0.9 [m] count 3, g in {1.62 [m/s^2], 9.81 [m/s^2]}
sweep th from "starts.csv", th' in normal(0, 0.1)
samples 256 latin seed 3
collect top [deg] = max(th), low = first(low), n = count(low)
M
printf 'n,th\n1,0.25\n2,1e-3\n' >"$SCRATCH/starts.csv"
$HAMEL describe "$SCRATCH/m.ham" | tail -9
$HAMEL check "$SCRATCH/m.ham" | tail -9
$HAMEL check "$SCRATCH/m.ham" --json | tr ',' '\n' | sed -n '/"sweep"/,/"chaplygin"/p'
