# The folder itself is ours; one above it can be written by all. /tmp, where only owners remove, is none of these.
mkdir -p "$SCRATCH/open/cache" "$SCRATCH/ours" && chmod 777 "$SCRATCH/open"
for folder in open/cache ours; do
    XDG_CACHE_HOME="$SCRATCH/$folder" "$HAMEL" simulate sleigh --exec compiled --until 1 | head -1
    ls "$SCRATCH/$folder/hamel" | wc -l
done
chmod 1777 "$SCRATCH/open" && XDG_CACHE_HOME="$SCRATCH/open/cache" "$HAMEL" simulate sleigh --exec compiled --until 1 | head -1
ls "$SCRATCH/open/cache/hamel" | wc -l
