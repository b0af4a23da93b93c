# At x = pi/2 both rows are y', though together they say y' = z' = 0 wherever x is not pi/2.
"$HAMEL" check - <<END | head -11
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint a: y' = 0
constraint b: sin(x)*y' + cos(x)*z' = 0
initial x = pi/2
END
