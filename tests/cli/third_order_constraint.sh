# The jerk of a lift follows its acceleration: the multiplier is state, multipliers the form that is left, lambda' what the constraint determines.
"$HAMEL" forms gentle_lift | grep gentle_lift: | sort | uniq -c
for format in text latex markdown json sympy; do "$HAMEL" derive gentle_lift --format $format; done
"$HAMEL" eval gentle_lift --digits 20
"$HAMEL" eval gentle_lift --json --digits 20 --at "lambda[cable]=3, x=1"
"$HAMEL" prove gentle_lift
"$HAMEL" prove gentle_lift --certify
