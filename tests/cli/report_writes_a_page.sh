cd "$SCRATCH"
"$HAMEL" report sleigh
head -c 15 sleigh.html
"$HAMEL" report sleigh --form maggi -o - | grep -o '<h1>.*</header>'
"$HAMEL" report sleigh -o page.html --form hamel --until 1
"$HAMEL" report sleigh -o no/such/folder.html
"$HAMEL" report sleigh --form megi
