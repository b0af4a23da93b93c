# a constraint of degree 5 in the velocities
"$HAMEL" derive - --form maggi <<END
coord x, y
kinetic (x'^2 + y'^2)/2
constraint y'^5 + y' = x' + x'^3
initial x' = 1
END
