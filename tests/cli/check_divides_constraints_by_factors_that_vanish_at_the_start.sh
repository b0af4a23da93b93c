"$HAMEL" check - <<END | head -11
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint a: sin(z)*(x' - y') = 0
constraint b: cos(z)*(x' - y') = 0
initial z = 0
END
