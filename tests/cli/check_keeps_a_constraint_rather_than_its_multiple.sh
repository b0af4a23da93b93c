"$HAMEL" check - <<END | head -8
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint a: z*(x' - y') = 0
constraint b: x' = y'
initial z = 0
END
