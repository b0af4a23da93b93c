"$HAMEL" check - <<END | head -4
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint a: x' = y'
constraint b: y' = 2*z'
constraint c: x' + y' = 4*z'
END
