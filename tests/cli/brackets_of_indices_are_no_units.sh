cd "$SCRATCH"
printf 'const n = 3, N = 2\n' > constants.ham
printf "include \"constants.ham\"\ncoord q [n], p [N], r [1..2], s[N]\nkinetic q[3]'^2 + p[2]'^2 + r[1]'^2 + r[2]'^2 + s[2]'^2\n" > a.ham
"$HAMEL" check a.ham | head -2
printf "for m in 1..3 { coord q [m] }\nkinetic sum(i in 1..3, q[i]'^2)\n" > b.ham
"$HAMEL" check b.ham | head -2
printf "coord q [N]\nconst N = 3\nkinetic q[3]'^2\n" > c.ham
"$HAMEL" check c.ham | head -2
printf "coord q[1..2] [m], x [m], y[1] [m]\nparam m = 1 [kg]\nkinetic m/2*(q[1]'^2 + q[2]'^2 + x'^2 + y[1]'^2)\n" > d.ham
"$HAMEL" check d.ham | head -2
