"$HAMEL" codegen sleigh --target opencl -o "$SCRATCH/made"
