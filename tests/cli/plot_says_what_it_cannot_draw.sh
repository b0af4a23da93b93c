"$HAMEL" plot sleigh sped; echo $?
"$HAMEL" plot sleigh "x:error(enrgy)"; echo $?
"$HAMEL" plot sleigh x,; echo $?
"$HAMEL" plot sleigh -o sleigh.jpg; echo $?
"$HAMEL" plot sleigh --log z; echo $?
"$HAMEL" plot sleigh --legend left; echo $?
"$HAMEL" plot sleigh --size wide 2>&1 | head -1
"$HAMEL" plot sleigh -o "$SCRATCH" 2>/dev/null; echo $?
printf 't,x\n0,0.1\n' > "$SCRATCH/one.csv"
"$HAMEL" plot "$SCRATCH/one.csv" "error(t):x" --log x; echo $?
"$HAMEL" simulate sleigh x:y; echo $?
"$HAMEL" simulate sleigh --plot --json; echo $?
"$HAMEL" simulate sleigh --plot sped; echo $?
"$HAMEL" plot rs_3_3_appell --until 2 --method dop853 --exec interpreted -o "$SCRATCH/a.svg" 2>&1 | head -1
tail -c 7 "$SCRATCH/a.svg"
