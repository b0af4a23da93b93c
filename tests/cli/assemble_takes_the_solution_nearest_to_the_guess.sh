# Near y = 1 the slope is small and the first step of Newton goes far, past a nearer solution.
printf 'coord x, y\nkinetic (x'"'"'^2 + y'"'"'^2)/2\nconstraint c: y^3 - 3*y = x\ninitial x = 1, x'"'"' = 1\nguess y = 0.99\n' >"$SCRATCH/cubic.ham"
"$HAMEL" assemble "$SCRATCH/cubic.ham" --digits 8
