# As many constraints as coordinates: the motion is prescribed, and the reactions follow.
cat > "$SCRATCH/path.ham" <<'END'
system path "A particle on a given path"
param m = 2, g = 9.81
coord x, y
kinetic m/2*(x'^2 + y'^2)
potential m*g*y
constraint along: x = cos(t)
constraint rise: y' = x^2
claim push: lambda[along] = -m*cos(t)
claim lift: lambda[rise] = m*(g - 2*x*sin(t))
initial y = 1
END
"$HAMEL" check "$SCRATCH/path.ham"
"$HAMEL" derive "$SCRATCH/path.ham" --form maggi,udwadia
"$HAMEL" prove "$SCRATCH/path.ham" --certify | tail -6
"$HAMEL" eval "$SCRATCH/path.ham" --at "t=1, y=0"
"$HAMEL" simulate "$SCRATCH/path.ham" --until 2 -o - | tail -1
"$HAMEL" derive "$SCRATCH/path.ham" --form vakonomic
