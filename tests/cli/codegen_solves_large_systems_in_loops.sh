cat > "$SCRATCH/chain.ham" <<'MODEL'
system chain "Eight links that hang on each other"
const N = 8
coord x[1..N]
for i in 1..N {
  let at[i] = (sum(j in 1..i, sin(x[j])), -sum(j in 1..i, cos(x[j])), 0)
  point bob[i]: mass 1 at at[i]
  initial x[i] = i/10
}
potential -9*sum(i in 1..N, sum(j in 1..i, cos(x[j])))
MODEL
"$HAMEL" codegen --target c "$SCRATCH/chain.ham" -o "$SCRATCH/made" > /dev/null
grep -o "hamel_factor_[a-z]*(8, [a-z]*" "$SCRATCH/made/chain.c"
make -s -C "$SCRATCH/made" CFLAGS="-std=c99 -O1 -Wall -Wextra -Wpedantic -Werror" && "$SCRATCH/made/chain" 1 2 1000 | cut -d , -f 1,2 | cut -c 1-10
