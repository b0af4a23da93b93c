"$HAMEL" simulate sleigh --until 1 --exec interpreted -o "$SCRATCH/run.h5" >/dev/null
cd "$SCRATCH" && mv run.h5 run.dat
"$HAMEL" simulate sleigh --resume run.dat --until 2
