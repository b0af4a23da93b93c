# The independent velocities change during both runs, and holonomic constraints go with them.
$HAMEL compare neumann maggi hamel --until 5 | head -3
