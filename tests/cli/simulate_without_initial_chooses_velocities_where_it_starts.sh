# At x = y = z = 0 the constraint determines y' only; what was chosen elsewhere would divide by z.
"$HAMEL" simulate - -o - --until 1 --every 0.5 <<END
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential x
constraint c: z*x' + (1 + y)*y' + x*z' = 0
END
