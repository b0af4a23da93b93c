"$HAMEL" prove - <<END | grep claim
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential x
constraint a: x' = y'
constraint b: 2*x' = 2*y'
constraint c: (y' - z')^2 = 0
claim f: lambda[b] = 0
claim g: lambda[c] = 1/3
END
