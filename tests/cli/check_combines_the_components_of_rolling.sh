# A ball in a bowl: three components of rank 2, and at th = pi/2, ph = 0 two of them fail.
"$HAMEL" check - <<END | head -15
param m = 1, a = 1, r = 1/4, g = 9.81
coord th, ph, al, be, ga
let n = (sin(th)*cos(ph), sin(th)*sin(ph), -cos(th))
body ball: mass m at (a - r)*n inertia (2/5*m*r^2, 2/5*m*r^2, 2/5*m*r^2) rotation rot(z, al)*rot(x, be)*rot(z, ga)
gravity (0, 0, -g)
constraint roll: velat(ball, a*n) = (0, 0, 0)
initial th = pi/2, ph = 0, be = 1, ph' = 2
END
