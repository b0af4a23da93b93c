# M of the rolling disc in its quasi-velocities is constant and diagonal, as it comes it is not.
"$HAMEL" codegen rolling_disc -o "$SCRATCH/c" > /dev/null
sed -n '/^static void mass(/,/^}/p' "$SCRATCH/c/rolling_disc.c"
# nowhere is a thing taken from itself
"$HAMEL" codegen n_trailer -o "$SCRATCH/n" > /dev/null
grep -E "\b(r[0-9]+) - \1\b" "$SCRATCH/n/n_trailer.c" | wc -l
