cat > "$SCRATCH/a.ham" << 'END'
param m = 2 [kg], k = 3 [N/m], c = 0.1 [kg/s], J = 1 [kg*m^2]
coord x [m], th
input F [N]
kinetic m/2*x'^2 + J/2*th'^2
potential k/2*x^2 - 1 [N*m]*cos(th)
force x = F - c*x'
END
"$HAMEL" steady "$SCRATCH/a.ham" | head -5
"$HAMEL" linearise "$SCRATCH/a.ham" | grep -e states -e inputs -e eigenvalues -e "^ .*frequency 1.22"
"$HAMEL" stability "$SCRATCH/a.ham" --set c=-1 --vary "k = -1..1" | head -4
"$HAMEL" continue "$SCRATCH/a.ham" --vary "k = -1..2" | head -1
"$HAMEL" assemble "$SCRATCH/a.ham" --digits 6 | head -6
"$HAMEL" orbit "$SCRATCH/a.ham" --set c=0 --at "x = 1" --period 5.13 2> "$SCRATCH/err" | head -5 | cut -c 1-50
