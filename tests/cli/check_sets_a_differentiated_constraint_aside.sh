"$HAMEL" check - <<END
system aside
coord x, y
kinetic (x'^2 + y'^2)/2
constraint blade: y' = x*x'
constraint again: ddt(y' - x*x') = 0
initial x = 0.3, x' = 1
END
