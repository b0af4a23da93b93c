"$HAMEL" check - <<END | head -6
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint c: (x' - y')*z' = 0
END
