# Standard output is full, or closed; so is the file.
m="$SCRATCH/m.ham"
printf '%s\n' "system m" "coord x" "kinetic x'^2/2" "potential x^2/2" "initial x = 1" > "$m"
try() { "$HAMEL" "$@" > /dev/full 2> /dev/null; echo $? "$1"; }
try models; try models --json; try show sleigh; try help; try help simulate; try --version; try forms; try references
try completions bash; try manual; try check "$m"; try describe "$m"; try derive "$m"; try prove "$m"; try eval "$m"
try simulate "$m"; try simulate "$m" -o -; try plot "$m"; try plot "$m" -o -; try compare "$m" maggi multipliers
try report "$m" -o -; try report "$m" --json; try codegen "$m" -o "$SCRATCH/c"
"$HAMEL" models >&- 2> /dev/null; echo $? closed
cd "$SCRATCH" && "$HAMEL" new swing > /dev/full 2> /dev/null; echo $? new
fail() { "$HAMEL" "$@" > /dev/null 2> /dev/null; echo $? "$1"; }
fail report "$m" -o no/page.html; fail plot "$m" -o no/figure.svg; fail derive "$m" --bib no/sources.bib
fail simulate "$m" -o no/rows.csv; fail codegen "$m" -o no/such/folder; fail report "$m" -o /dev/full
fail plot "$m" -o "$SCRATCH/c/.svg/x.svg"; fail recover no/rows.csv
