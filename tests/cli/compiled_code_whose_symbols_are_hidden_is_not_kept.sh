# Hidden by $CC, which is overruled, and by a compiler that has the last word.
export XDG_CACHE_HOME="$SCRATCH/cache"
CC="gcc -fvisibility=hidden" "$HAMEL" simulate sleigh --exec compiled --until 1 | head -1
rm -r "$SCRATCH/cache"
printf '%s\n' '#!/bin/sh' 'exec gcc "$@" -fvisibility=hidden' > "$SCRATCH/cc" && chmod +x "$SCRATCH/cc"
for method in taylor dop853 bdf; do
    CC="$SCRATCH/cc" "$HAMEL" simulate sleigh --exec compiled --until 1 --method $method | head -1
done
CC="$SCRATCH/cc" "$HAMEL" simulate rattleback --until 100 --method dop853 | grep -c "the end was reached"
ls "$SCRATCH/cache/hamel" | grep -c so$
