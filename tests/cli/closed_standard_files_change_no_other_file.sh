# what is opened must not take their places
cd "$SCRATCH"
"$HAMEL" simulate sleigh --until 1 -o whole.h5 >/dev/null
"$HAMEL" plot whole.h5 -o whole.png
"$HAMEL" simulate sleigh --until 1 -o run.h5 <&- >&- 2>&-
echo $?
cmp whole.h5 run.h5
"$HAMEL" plot run.h5 -o run.png <&- >&- 2>&-
echo $?
cmp whole.png run.png
"$HAMEL" check - <&-
echo $?
