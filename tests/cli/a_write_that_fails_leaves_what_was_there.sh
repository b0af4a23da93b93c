# No file may have more than 1 KB.
cd "$SCRATCH" && trap '' XFSZ && for f in page.html figure.svg figure.pdf sources.bib; do echo before > $f; done
chmod 640 page.html
(ulimit -f 1
"$HAMEL" report sleigh -o page.html; echo $?
"$HAMEL" plot sleigh -o figure.svg; echo $?
"$HAMEL" plot sleigh -o figure.pdf; echo $?
"$HAMEL" derive sleigh --form all --bib sources.bib > /dev/null; echo $?)
cat page.html figure.svg figure.pdf sources.bib; ls
"$HAMEL" report sleigh -o page.html && stat -c %a page.html && head -c 15 page.html; echo; ls
