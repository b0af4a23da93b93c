"$HAMEL" simulate - 2>&1 >/dev/null <<END | grep -o -e "the argument.*" -e "what sticks.*"
coord x
kinetic x'^2/2
force x = -sign(x')*0.1
initial x' = 1
simulate t = 0 .. 20
END
