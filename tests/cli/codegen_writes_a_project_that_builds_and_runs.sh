"$HAMEL" codegen --target c sleigh -o "$SCRATCH/made" | sed "s|$SCRATCH/||"
make -s -C "$SCRATCH/made" CFLAGS="-std=c99 -O2 -Wall -Wextra -Wpedantic -Werror" && "$SCRATCH/made/sleigh" 1 2 10 | cut -d , -f 1,2 | cut -c 1-12
