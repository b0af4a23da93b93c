# The tangential acceleration of a heavy particle is prescribed: x'' and y'' solved, the closed first integrals of the motion proved.
for format in text latex markdown json sympy; do "$HAMEL" derive tangential_acceleration --form maggi,multipliers --format $format; done
"$HAMEL" derive tangential_acceleration --form voronec
"$HAMEL" eval tangential_acceleration --digits 20
"$HAMEL" eval tangential_acceleration --form udwadia --json --digits 20
"$HAMEL" prove tangential_acceleration
"$HAMEL" prove tangential_acceleration --certify
