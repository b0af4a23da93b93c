# RS 1.2: phi'' = 0, x'' = g + lambda*sin(phi), y'' = -lambda*cos(phi)
"$HAMEL" derive - --form multipliers <<END
param g = 9.81
coord x, y, phi
kinetic (x'^2 + y'^2 + phi'^2)/2
potential -g*x
constraint blade: x'*sin(phi) - y'*cos(phi) = 0
END
