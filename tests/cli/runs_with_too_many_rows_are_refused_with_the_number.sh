# Each once ran for ever, or took 100 MB a second
for every in 1e-300 1e-9; do
  for command in simulate plot compare; do
    forms=; [ $command = compare ] && forms="maggi gauss"
    $HAMEL $command sleigh $forms --every $every
    echo "$command: $?" >&2
  done
done
$HAMEL plot sleigh --every 1e-6 --limit bytes=1M
$HAMEL simulate sleigh --every 1e-3 --limit bytes=1M -o "$SCRATCH/run.csv"
$HAMEL simulate sleigh --every 1e-3 --limit rows=20000
$HAMEL simulate sleigh --every 1e-3 --limit rows=20001 | grep rows
