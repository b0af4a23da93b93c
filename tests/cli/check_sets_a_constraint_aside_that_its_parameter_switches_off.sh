"$HAMEL" check - <<END | head -1
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
param a = 0
constraint c: a*(z' - y*x') = 0
END
