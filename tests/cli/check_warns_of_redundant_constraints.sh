"$HAMEL" check - <<END
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint a: x' = y'
constraint b: y' = z'
constraint c: x' = z'
END
