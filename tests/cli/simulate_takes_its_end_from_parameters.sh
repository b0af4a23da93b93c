printf "param p, n = 2*p\ncoord x\nkinetic x'^2/2\ninitial x = 1\nsimulate t = 0 .. 2*n, output = n/2\n" >"$SCRATCH/m.ham"
"$HAMEL" simulate "$SCRATCH/m.ham" --set p=1 --method dop853 --exec interpreted
"$HAMEL" simulate "$SCRATCH/m.ham"
echo $?
