"$HAMEL" check - <<END | head -9
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
param a = 1
constraint b: x' = y'
constraint c: x' = a*y'
END
