$HAMEL simulate sleigh --method midpoint --step 1e-20
echo $? >&2
$HAMEL simulate sleigh --every inf
echo $? >&2
cat >"$SCRATCH/long.ham" <<END
coord x
kinetic x'^2/2
simulate t = 0 .. 1e400, output = 1e-400
END
cd "$SCRATCH" && $HAMEL simulate long.ham
