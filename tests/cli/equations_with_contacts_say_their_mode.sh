# Every command about equations says in which mode of its contacts a model was read.
cat >"$SCRATCH/ball.ham" <<'M'
param m = 1, g = 9.81, r = 0.1, mu = 0.3
coord x, z, th
body ball: mass m at (x, 0, z) inertia (2/5*m*r^2, 2/5*m*r^2, 2/5*m*r^2) rotation rot(y, th)
gravity (0, 0, -g)
contact floor: gap z - r, at ball (x, 0, z - r), normal (0, 0, 1), friction mu, restitution 0.5
initial x' = 1, z = r
M
M="$SCRATCH/ball.ham"
S='mode[floor]=sticking'
for format in text latex markdown sympy json; do
    echo "-- derive $format"
    $HAMEL derive "$M" --form maggi --format $format | grep -o '.*mode.*another.*\|"modes":{[^}]*}'
done
for format in text latex sympy numpy matlab json; do
    echo "-- matrices $format"
    $HAMEL matrices "$M" --set "$S" --format $format | grep -o '.*mode.*another.*\|"modes":{[^}]*}'
done
for words in "prove" "eval" "assemble" "forms" "transpose" "steady" "linearise" "stability --vary g=1..2" \
    "continue --vary g=1..2" "simulate --until 0.1" "section x-1e-3 --at x'=1 --until 1" "compare maggi appell --until 0.1" \
    "lyapunov --until 1" "sensitivity --to g --until 0.1"; do
    set -- $words
    command=$1
    shift
    echo "-- $command"
    [ $command = compare ] && set -- maggi appell --until 0.1
    $HAMEL $command "$M" "$@" --set "$S" | grep another
    $HAMEL $command "$M" "$@" --set "$S" --json | grep -o '"modes":{[^}]*}'
done
echo "-- codegen"
$HAMEL codegen "$M" -o "$SCRATCH/code" 2>/dev/null >"$SCRATCH/list"
grep -h "smooth motion\|another" "$SCRATCH/code"/*
