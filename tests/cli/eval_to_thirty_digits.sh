"$HAMEL" eval sleigh --digits 30 --at "theta=0.5, v=2"; "$HAMEL" eval sleigh --json --digits 30
