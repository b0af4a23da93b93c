printf '%s\n' "coord x" "kinetic x'^2/2" "claim c under nosuch: x'' = 0" > "$SCRATCH/m.ham"
for command in check describe prove report simulate; do
    "$HAMEL" $command "$SCRATCH/m.ham" 2>&1 > /dev/null | sed "s,$SCRATCH/,," | head -1
done
