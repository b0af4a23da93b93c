cat > "$SCRATCH/m.ham" <<'END'
param m = 2
coord x, y, z
kinetic m/2*(x'^2 + y'^2 + z'^2)
constraint c: z' = y*x'
initial x = 0, y = 0.5, x' = 1, y' = 1
claim wrong: m*z'' = -lambda
claim root: sqrt(x^2) = x
END
"$HAMEL" prove "$SCRATCH/m.ham" --form maggi
