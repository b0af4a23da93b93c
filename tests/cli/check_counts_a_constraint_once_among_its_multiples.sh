# f2 is half of f1, and f3 depends on f0 and f1 with coefficients that vary: rank 2.
"$HAMEL" check - <<END 2>&1 | grep "warning\|freedom"
coord x, y, z, u
kinetic (x'^2 + y'^2 + z'^2 + u'^2)/2
constraint f0: sin(u)*(y' + u*z') + u*x' = 0
constraint f1: 2*x' = 0
constraint f2: x' = 0
constraint f3: z*(y' + u*z') + u*x' = 0
initial u = 1, z = 0
END
