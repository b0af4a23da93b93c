"$HAMEL" check - <<END | head -1
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint c: (x' - y')*z' = 0
initial x' = 1, y' = 1
END
