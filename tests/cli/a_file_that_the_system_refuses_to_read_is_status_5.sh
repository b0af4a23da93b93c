# the first page of a process cannot be read: EIO, as from a broken disk
cd "$SCRATCH"
ln -s /proc/self/mem model.ham
ln -s /proc/self/mem rows.csv
ln -s /proc/self/mem rows.h5
for words in "check model.ham" "plot rows.csv" "plot rows.h5" "simulate sleigh --resume rows.h5"; do
    "$HAMEL" $words
    echo $?
done
