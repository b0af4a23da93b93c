# The matrix of the accelerations was the difference of two residuals, 10^200 each: nothing was left of it.
"$HAMEL" eval - --digits 6 <<END
coord x, y
kinetic (x'^2 + y'^2)/2
potential 1e200*sin(x)
initial x = 1
END
