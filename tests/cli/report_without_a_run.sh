cd "$SCRATCH"
printf 'system ball "Ball with a mass"\nparam m\ncoord x\nkinetic m/2*x'"'"'^2\n' | "$HAMEL" report - --form lagrange
sed -n '/id="motion"/,/<\/section>/p' system.html
printf 'system ball\nparam m\ncoord x\nkinetic m/2*x'"'"'^2\n' | "$HAMEL" report - --json
