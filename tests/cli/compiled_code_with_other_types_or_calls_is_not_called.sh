# what $CC adds must not change what the numbers or the calls of a module are
for flags in -Ddouble=int -Ddouble=long -mabi=ms; do
    echo "$flags"
    CC="gcc $flags" XDG_CACHE_HOME="$SCRATCH/cache" "$HAMEL" simulate sleigh --exec compiled --method tsit5 --until 1 | head -1
    ls "$SCRATCH/cache/hamel"
done
CC=gcc XDG_CACHE_HOME="$SCRATCH/cache" "$HAMEL" simulate sleigh --exec compiled --method tsit5 --until 1 | head -1
