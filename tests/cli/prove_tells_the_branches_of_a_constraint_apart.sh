cat > "$SCRATCH/m.ham" <<'END'
param a = 2
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint c: z'^2 = a^2*(x'^2 + y'^2)
initial x = 0, y = 0, z = 0, x' = 0.6, y' = 0.8, z' = 2
claim here: z' = a*sqrt(x'^2 + y'^2)
claim there: z' = -a*sqrt(x'^2 + y'^2)
claim both: z'^2 = a^2*(x'^2 + y'^2)
END
"$HAMEL" prove "$SCRATCH/m.ham" --form maggi
