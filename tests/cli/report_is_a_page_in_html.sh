cd "$SCRATCH" || exit 1
"$HAMEL" report sleigh -o a.docx
echo "exit $?"
ls
"$HAMEL" report sleigh --until 1 -o page.htm
