# No kinetic energy goes with y', so that nothing says what y'' is; x^2 y'' + .. = 0 says nothing at x = 0.
printf "coord x, y\nkinetic x'^2/2\npotential y^2\ninitial x' = 1, y = 1\n" >"$SCRATCH/massless.ham"
printf "coord x, y\nkinetic x'^2/2 + x^2*y'^2/2\ninitial x' = 1, y' = 1\n" >"$SCRATCH/centre.ham"
for command in simulate linearise codegen; do
    "$HAMEL" $command "$SCRATCH/massless.ham" 2>&1
    echo "status $?"
done
"$HAMEL" simulate "$SCRATCH/centre.ham" --until 1 2>&1 | grep -A1 -e 'error' -e 'rows'
"$HAMEL" simulate "$SCRATCH/centre.ham" --until 1 --at x=1 2>&1 | grep -v -e chosen -e steps
