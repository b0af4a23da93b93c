"$HAMEL" derive - <<END
param m
coord x, y
function a(u)
given f
kinetic m*(x'^2 + y'^2)/2
potential a(x)
constraint y' = f*x' + a(y)
END
