# ida needs constraints and the multiplier equations; dla linear constraints of order 0 and 1 and the classical motion.
"$HAMEL" simulate sleigh --method ida
"$HAMEL" simulate double_pendulum --method ida --form multipliers
"$HAMEL" simulate skier --method dla
"$HAMEL" simulate tangential_acceleration --method dla
"$HAMEL" simulate sleigh --form vakonomic --method dla
"$HAMEL" simulate rattleback --method midpoint --step 2 --until 10 | grep Newton
