cd "$SCRATCH"
# x'' by hand: N = lambda dPhi/dq', d/dt Phi = 0
cat > root.ham <<'END'
coord x, y, u
kinetic (x'^2 + y'^2 + u'^2)/2
constraint c: x' = sqrt(exp(u)*(1 + y'^2))
initial u = 0.2, y' = 0.5, u' = 0.4
END
cat > cone.ham <<'END'
coord x, y, u
kinetic (x'^2 + y'^2 + u'^2)/2
constraint c: u'^2 = y'^2 + exp(x)*x'^2
initial x = 0.1, x' = 0.4, y' = 0.5
claim false: sqrt(x*exp(y))*sqrt(x*exp(y)) = x
claim true: sqrt(x*exp(y))*sqrt(x*exp(y)) = x*exp(y)
END
for form in maggi multipliers hamilton voronec gauss; do
    "$HAMEL" eval root.ham --form $form | grep "x''"
    "$HAMEL" eval cone.ham --form $form | grep "x''"
done
"$HAMEL" prove cone.ham --form maggi,multipliers | grep -o '^claim.*\(proved\|refuted\)'
