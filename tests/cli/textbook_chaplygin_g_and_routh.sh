"$HAMEL" derive rs_4_4_appell_hamel --form chaplygin-g; "$HAMEL" derive rs_4_5_routh_particle --form routh-chaplygin
cat > "$SCRATCH/kepler.ham" <<'X'
param m = 1, k = 2
coord r, phi
kinetic m/2*(r'^2 + r^2*phi'^2)
potential -k/r
initial r = 1, phi' = 1
X
"$HAMEL" derive "$SCRATCH/kepler.ham" --form routh-chaplygin; "$HAMEL" eval "$SCRATCH/kepler.ham" --form routh-chaplygin --digits 20
