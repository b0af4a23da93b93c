refuse() { printf '%s\n' "$2" > "$SCRATCH/m.ham"; "$HAMEL" derive "$SCRATCH/m.ham" --form "$1" | grep 'does not apply'; }
plain="coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
initial x = 1, y = 2, z = 3, y' = 0.5, z' = 0.25"
refuse gaponov "$plain
constraint c: x' = t*y'"
refuse gaponov "$plain
given u = t
constraint c: x' = u*(y' + z')"
refuse gaponov "$plain
given u = t
constraint c: x' = u'*y'"
refuse gaponov "$plain
given u = t
potential u*y
constraint c: x' = u*y'"
refuse gaponov "$plain
constraint c: x' = y' + 1"
refuse routh-chaplygin "$plain
potential x*y*z"
refuse routh-chaplygin "$plain
force x = -y
constraint c: x' = 1"
refuse chaplygin-g "$plain
potential x*y'
constraint c: x*x' + y*y' + z*z' = 1"
refuse cartesian "$plain
cartesian x' = 1"
refuse cartesian "$plain
constraint c: x' = y' + 1
cartesian y' = 1
cartesian z' = 1"
refuse cartesian "$plain
constraint c: x' = y'
cartesian z' = 1
cartesian 2*x' - 2*y' = 1"
refuse cartesian "$plain
kinetic y*x'
cartesian x' = 1
cartesian y' = 1
cartesian z' = 1"
