export COLUMNS=70
LC_ALL=C.UTF-8 "$HAMEL" plot sleigh --exec interpreted
LC_ALL=C.UTF-8 "$HAMEL" simulate t15_3_1_pendulum_on_skate --plot "theta,theta1" "error(energy)" --method dop853 --exec interpreted --tol 1e-6
LC_ALL=C "$HAMEL" plot double_pendulum --exec interpreted --until 5
