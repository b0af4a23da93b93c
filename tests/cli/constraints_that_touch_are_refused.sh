# x = 1 and the circle have one gradient where they meet; neither follows from the other
"$HAMEL" check - <<END
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint a: x^2 + y^2 = 1
constraint b: x = 1
initial x = 1, y = 0, z' = 1
END
