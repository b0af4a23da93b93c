# An absent quantity is 0: what is absent for another reason is named, in every format, and --full lists it.
cat > "$SCRATCH/nine.ham" <<'MODEL'
system nine "Nine coordinates"
coord q[1..9]
kinetic sum(i in 1..9, q[i]'^2)/2
constraint c: q[1]' = q[2]*q[3]'
MODEL
for format in text latex markdown sympy; do "$HAMEL" derive "$SCRATCH/nine.ham" --form talamucci --format $format | grep "not listed"; done
"$HAMEL" derive "$SCRATCH/nine.ham" --form talamucci --json | grep -o '"left_out":.*'
"$HAMEL" derive "$SCRATCH/nine.ham" --form talamucci --full | grep -e "not listed" -e Theta
"$HAMEL" derive "$SCRATCH/nine.ham" --form a-model | grep "not listed"
"$HAMEL" derive rattleback --form hamilton | grep "not listed"
# Affine constraints have no reduced bracket, velocities without a closed form no alpha
cat > "$SCRATCH/affine.ham" <<'MODEL'
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint z' = y*x' + 1
MODEL
"$HAMEL" derive "$SCRATCH/affine.ham" --form hamilton | tail -1
cat > "$SCRATCH/implicit.ham" <<'MODEL'
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint z'^5 + z' + x'^5 + y'^5 = 1
MODEL
"$HAMEL" derive "$SCRATCH/implicit.ham" --form voronec | tail -3
# The axes of Kane's partial angular velocities, and verdicts that are always there
"$HAMEL" derive rolling_disc --form kane | tail -1
cat > "$SCRATCH/field.ham" <<'MODEL'
coord x, y, z, u
kinetic ((1 + x^2*sin(y)^2)*x'^2 + (2 + sin(x*z))*y'^2 + (3 + cos(u)*x)*z'^2 + u'^2*(1 + y^2))/2 + x'*u'*sin(z)/3
constraint z' = (x*sin(y*u) + exp(x))*x'
cartesian x' + sin(y)*u' = x*y + exp(z)
cartesian y' - u*x' = sin(x*u)
cartesian u'*(2 + cos(x)) = y^2*x
initial x = 0.3, y = 0.4
MODEL
"$HAMEL" derive "$SCRATCH/field.ham" --form cartesian | tail -1
