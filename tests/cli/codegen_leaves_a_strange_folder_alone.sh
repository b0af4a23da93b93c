mkdir "$SCRATCH/mine" && echo keep > "$SCRATCH/mine/main.c"
cd "$SCRATCH" && "$HAMEL" codegen sleigh -o mine; echo "status $?"
cat mine/main.c && ls mine
