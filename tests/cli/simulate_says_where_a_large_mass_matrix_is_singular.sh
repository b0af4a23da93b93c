# Eight unknowns: solved in a loop, interpreted and compiled.
cat > "$SCRATCH/mass.ham" <<'MODEL'
system mass "A mass matrix that becomes singular"
const N = 8
coord x[1..N]
kinetic sum(i in 1..N, x[i]'^2)/2 - (1/8 + x[1]/100)*sum(i in 1..N, x[i]')^2/2 + x[1]*sum(i in 1..N-1, x[i]'*x[i+1]')/50
for i in 1..N { initial x[i] = -1, x[i]' = 0.5 + i/10 }
simulate t = 0 .. 10, output = 0.1
MODEL
"$HAMEL" simulate "$SCRATCH/mass.ham" --exec interpreted -o "$SCRATCH/a.csv" 2>&1 | grep "run stopped" | sed "s/1.55[0-9]*/1.55../"
XDG_CACHE_HOME="$SCRATCH" "$HAMEL" simulate "$SCRATCH/mass.ham" --exec compiled -o "$SCRATCH/b.csv" 2>&1 | grep "run stopped" | sed "s/1.55[0-9]*/1.55../"
cmp "$SCRATCH/a.csv" "$SCRATCH/b.csv" && tail -1 "$SCRATCH/a.csv" | cut -d , -f 1 | sed "s/1.55[0-9]*/1.55../"
"$HAMEL" simulate "$SCRATCH/mass.ham" --exec interpreted -o "$SCRATCH/a.csv" > /dev/null 2>&1
