cat > "$SCRATCH/m.ham" <<'END'
param m = 1
coord x, y, z
given f = t^2
kinetic m/2*(x'^2 + y'^2 + z'^2)
constraint c: z' = y*x'
initial x = 0, y = 0.5, x' = 1, y' = 1
claim motion: (1 + y^2)*x'' = -y*y'*x'
claim identity: z'' = y'*x' + y*x''
claim always: z'^2 = y^2*x'^2
claim coincidence: z'' = lambda
claim given: f*f'' = f'^2/2
END
"$HAMEL" prove "$SCRATCH/m.ham" --form maggi
