cd "$SCRATCH" && "$HAMEL" codegen sleigh && "$HAMEL" codegen sleigh --form hamel && grep -c "hamel: " sleigh-c/sleigh.h
