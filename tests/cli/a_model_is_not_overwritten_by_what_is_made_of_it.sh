cd "$SCRATCH" && mkdir model-c
printf '%s\n' "coord x" "kinetic x'^2/2" "initial x' = 1" > part.csv
printf '%s\n' "system model" 'include "part.csv"' > model.svg
cp model.svg before.svg && cp part.csv before.csv && ln part.csv other.npz && ln -s model.svg page.html && ln -s model.svg model-c.bib
"$HAMEL" report model.svg -o model.svg; echo $?
"$HAMEL" report model.svg -o page.html; echo $?
"$HAMEL" plot model.svg x -o ./model.svg; echo $?
"$HAMEL" simulate model.svg -o part.csv; echo $?
"$HAMEL" simulate model.svg -o other.npz; echo $?
"$HAMEL" derive model.svg --bib model-c.bib > /dev/null; echo $?
cp model.svg model-c/model.c && mv model.svg away && ln -s model-c/model.c model.svg
"$HAMEL" codegen model.svg -o model-c; echo $?
cmp model-c/model.c before.svg && cmp part.csv before.csv && ls
