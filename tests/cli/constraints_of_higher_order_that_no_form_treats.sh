# Order 4, and constraints that are not linear in the highest derivative, are refused with the reason; differentiated once, the second can be treated.
model() { printf "system s\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: %s\ninitial x' = 1, y' = 2, x = 1, y = 0\n" "$1" > "$SCRATCH/s.ham"; }
for constraint in "x'''' = 0" "x''^2 + y''^2 = 1" "x'''^2 = y" "x''^3*y''' = 1"; do
    model "$constraint"
    "$HAMEL" check "$SCRATCH/s.ham" | grep order
    "$HAMEL" derive "$SCRATCH/s.ham" | grep apply
    "$HAMEL" prove "$SCRATCH/s.ham" 2>&1
done
model "ddt(x''^2 + y''^2) + x = 0"
"$HAMEL" derive "$SCRATCH/s.ham"
model "x'' = y"
"$HAMEL" derive "$SCRATCH/s.ham" --form vakonomic
