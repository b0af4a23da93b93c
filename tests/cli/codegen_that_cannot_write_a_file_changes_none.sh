# main.c cannot be written: a folder has its name
cd "$SCRATCH"
"$HAMEL" codegen sleigh -o code >/dev/null
rm code/main.c && mkdir code/main.c
cp -r code before
"$HAMEL" codegen sleigh -o code --set m=2
echo $?
diff -r before code && ls code
