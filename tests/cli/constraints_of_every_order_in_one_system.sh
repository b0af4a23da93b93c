# Orders 0, 1, 2 and 3 together; a claim that is false on q''' is refuted with a state that gives lambda.
cat > "$SCRATCH/m.ham" <<END
system many
param m = 1, c = 1/2
coord x, y, z, u, w
kinetic m/2*(x'^2 + y'^2 + z'^2 + u'^2 + w'^2)
potential m*z
constraint bead: w = x^2/2
constraint blade: y' = x*x'
constraint drive: u'' = y'*x''
constraint smooth: z''' + c*z'' = u'
initial x = 0.3, u' = 0.4, x' = 1
initial lambda[smooth] = 2
claim jerk: z''' = u' - c*z''
claim wrong: z''' = u' + c*z''
claim pull: m*z'' + m = lambda[smooth]
END
"$HAMEL" derive "$SCRATCH/m.ham"
"$HAMEL" eval "$SCRATCH/m.ham"
"$HAMEL" prove "$SCRATCH/m.ham"
