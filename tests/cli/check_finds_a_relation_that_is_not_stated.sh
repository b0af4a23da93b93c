"$HAMEL" check - <<END | head -1
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint b: x' = z'
constraint c: x' = z' + y
initial x = 1
END
