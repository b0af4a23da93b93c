# Energy that friction or a moving constraint changes is no drift; a force that does no work leaves it, and so does a linear constraint.
moved() { "$HAMEL" simulate "$@" --exec interpreted --until 1 | grep -o "^[a-z]* of [a-z]*"; }
moved - <<END
system friction
coord x
kinetic x'^2/2
potential x^2/2
force x = -x'/10
initial x = 1
END
moved - <<END
system magnet
coord x, y
kinetic (x'^2 + y'^2)/2
force x = y'
force y = -x'
initial x' = 1
END
moved - <<END
system carried
coord x, y
kinetic (x'^2 + y'^2)/2
constraint lift: y = t^2
initial x' = 1
END
moved sleigh
