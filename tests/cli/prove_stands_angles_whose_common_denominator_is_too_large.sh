cat > "$SCRATCH/fine.ham" <<'MODEL'
coord x, y
kinetic (x'^2 + y'^2)/2
potential cos(x/1000003 + y/1000033)*cos(x/1000037 + y/1000039)*cos(x/1000081)
constraint y' = sin(x/1000117)*x'
initial x = 0, y = 0, x' = 1
MODEL
"$HAMEL" prove "$SCRATCH/fine.ham" --form multipliers,gauss
