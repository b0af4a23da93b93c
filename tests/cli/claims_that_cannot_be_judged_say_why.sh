cat > "$SCRATCH/m.ham" <<'END'
coord x, y
kinetic (x'^2 + y'^2)/2
constraint c: x' = y*y'
initial y = 1, y' = 1
claim no_option under a-model with nu = 1: classical
claim no_such_quantity under a-model: quantity("det V") = 1
claim no_relations: transpose(x) = 0
claim no_mechanics: classical
claim needs_no_multipliers under a-model: solution x = t, y = t
claim third: x''' = 0
END
"$HAMEL" prove "$SCRATCH/m.ham" --form maggi
