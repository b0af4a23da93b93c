# the same constraint squared: the branch comes from the initial state
"$HAMEL" derive - <<END
param a = 1/2, g = 9.81
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential g*z
constraint z'^2 = a^2*(x'^2 + y'^2)
initial x' = 1, y' = 1, z' = 0.7071067811865476
END
