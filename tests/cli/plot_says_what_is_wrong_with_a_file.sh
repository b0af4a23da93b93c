cd "$SCRATCH"
draw() { # draw BYTES ARGUMENT..: a file of these bytes
    printf "$1" >rows.csv
    shift
    "$HAMEL" plot rows.csv "$@"
    echo $?
}
draw 't,x,y\n0,1,2\n1,two,3\n'
draw 't,x,y\n0,1,2\n1,2\n'
draw 't,x,y\n0,1,2,3\n'
draw '0,1,2\n1,2,3\n'
draw ''
draw 't,x,x\n0,1,2\n'
draw 't,"x\n0,1\n'
draw 't,"x"y\n0,1\n'
draw 't,\033[31m\n0,1\n'
draw 't\n0\n1\n'
draw 't,x\n'
draw 't,speed\n0,1\n1,2\n' sped
draw 't,x\n0,1\n1,2\n' x=
draw 't,x\n0,1\n1,2\n' --until 3
draw 't,x\n0,1\n1,2\n' --events
draw 't,x\n0,1\n1,2\n' -o rows.jpg
printf 'no rows' >rows.h5
"$HAMEL" plot rows.h5
echo $?
"$HAMEL" plot absent.csv
echo $?
mkdir folder.csv
"$HAMEL" plot folder.csv 2>/dev/null
echo $?
