"$HAMEL" check snake --set N=2 --json; "$HAMEL" eval sleigh --set m=2 --json --digits 4; "$HAMEL" check sleigh --set q=1; echo $?; "$HAMEL" check sleigh --set m; echo $?
