"$HAMEL" codegen sleigh --target cuda -o "$SCRATCH/made"
