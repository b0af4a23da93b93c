"$HAMEL" simulate - <<END | grep r
coord x, y
kinetic (x'^2 + y'^2)/2
potential x
constraint a: x' = y'
constraint b: 2*x' = 2*y'
initial x' = 1
simulate t = 0 .. 1
observe s = lambda[b]
event r: lambda[a] - 2
END
