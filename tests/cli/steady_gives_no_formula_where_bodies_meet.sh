"$HAMEL" steady --closed - <<END
coord x, y
kinetic (x'^2 + y'^2)/2
potential -1/sqrt(x^2 + y^2)
initial x = 1, y' = 1
END
