$HAMEL references T18 gauss
$HAMEL references --format bibtex M maggi1901
$HAMEL references T15 --json
$HAMEL derive sleigh --format latex --bib "$SCRATCH/sources.bib" | sed -n 1,3p
cat "$SCRATCH/sources.bib"
$HAMEL references lagrange gaus
