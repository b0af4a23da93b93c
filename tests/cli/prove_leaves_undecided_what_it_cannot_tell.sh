cat > "$SCRATCH/m.ham" <<'END'
coord x, y
kinetic (x'^2 + y'^2)/2
initial x = 1, y = 1
claim logarithm: log(x*y) = log(x) + log(y)
claim root: sqrt(x)*sqrt(y) = sqrt(x*y)
claim nowhere: sqrt(-1 - x^2) = x
END
"$HAMEL" prove "$SCRATCH/m.ham" --form maggi
