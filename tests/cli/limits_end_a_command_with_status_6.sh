for limit in time=1e-9 memory=100k nodes=200; do
  $HAMEL derive sleigh --form all --limit $limit
  echo $? >&2
done
$HAMEL simulate pendulum --until 1e9 --every 1e3 --limit time=0.1 >"$SCRATCH/said" 2>&1
echo $? >&2
grep -c "limit reached: time (at most 0.1 s)" "$SCRATCH/said" >&2
$HAMEL check sleigh --limit time=60,memory=2G,nodes=1M,rows=1k --limit bytes=1e6 | head -1
for limit in time memory=0 rows=-1 nodes=1x bytes=1,time=1 time=1, memory=2G,frob=3; do
  $HAMEL check sleigh --limit $limit 2>&1 | head -1 >&2
done
$HAMEL check sleigh --limit nodes=1T
