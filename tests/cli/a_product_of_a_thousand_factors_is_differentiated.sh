# prod (1 + i*x) has the slope 1 + 2 + .. + 1000 = 500500 at x = 0, and ddt of it that times x' = 2.
"$HAMEL" eval - --digits 8 <<END
coord x
kinetic x'^2/2
potential prod(i in 1..1000, 1 + i*x)
initial x = 0
END
"$HAMEL" simulate - --until 1e-6 --every 1e-6 -o - 2>/dev/null <<END | sed -n 1,2p | grep -v "^#"
coord x, y
kinetic (x'^2 + y'^2)/2
observe rate = ddt(prod(i in 1..1000, 1 + i*x))
initial x = 0, x' = 2
END
