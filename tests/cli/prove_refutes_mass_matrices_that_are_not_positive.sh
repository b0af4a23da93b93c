for T in "x'^2 + 4*x'*y' + y'^2" "x'^2 + 2*x'*y' + y'^2" "2*x'^2 + 2*x'*y' + y'^2" "x'^2 + (1 + 3*x)*y'^2 + 5*x'*y'*x" "-x'^2 + y'^2" "x'^2 + y'^2 + 1.0000001*2*x'*y'"; do
    printf 'coord x, y\nkinetic (%s)/2\ninitial x = 1/5\n' "$T" > "$SCRATCH/m.ham"
    "$HAMEL" prove "$SCRATCH/m.ham" --form maggi | grep -A1 '^mass'
done
printf "coord x, y, z\nkinetic (x'^2 + y'^2 - 3*z'^2)/2\nconstraint z' = x'\n" > "$SCRATCH/m.ham"
"$HAMEL" prove "$SCRATCH/m.ham" --form maggi | grep -A1 '^mass'
