cat > "$SCRATCH/m.ham" <<'MODEL'
coord x, y
kinetic (x'^2 + y'^2)/2
potential (x^2 + 4*y^2)/2
initial x = 1, y = 0.5, y' = 0.3
invariant sgn = sign(x)
invariant atans = atan(x) + atan(1/x)
invariant absy = abs(y)/y
invariant frac = x/abs(x)*(x'^2 + x^2)
invariant tanfloor = atan(tan(x)) - x
invariant rooty = sqrt(x^2)/x
invariant rootz = x/sqrt(x^2)
invariant fine1 = x'^2 + (x^2)^(1/2)*sign(x)*x
invariant fine2 = x'^2 + abs(x)^2
invariant fine3 = (x'^2 + x^2)*x/x
invariant fine4 = sign(x'^2 + x^2 - 1)
invariant fine5 = abs(x'^2 + x^2 - 1)/(x'^2 + x^2 - 1)
invariant mx = max(x, -x)/x
invariant fine6 = max(x,-x)^2 + x'^2
invariant angle = atan2(y', 2*y) + 2*t
invariant loga = log(abs(x)) - log(abs(x)) + sign(y)
invariant fine7 = log(abs(x)) + log(1/abs(x)) + x'^2 + x^2
invariant fine8 = tan(x)*cos(x)/sin(x)
MODEL
"$HAMEL" prove "$SCRATCH/m.ham" --form maggi
