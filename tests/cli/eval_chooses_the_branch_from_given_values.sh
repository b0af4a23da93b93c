"$HAMEL" eval - --json --digits 5 --at "x'=1, z'=-1" <<END
coord x, z
kinetic (x'^2 + z'^2)/2
potential z
constraint z'^2 = x'^2
initial x' = 1
END
