cat > "$SCRATCH/m.ham" <<'MODEL'
coord x
kinetic x'^2/2
potential 9*x^2/2
initial x = 1
claim s1: solution x = abs(cos(3*t))
claim s2: solution x = cos(3*t)
claim s3: solution x = sqrt(cos(3*t)^2)
claim s4: solution x = sign(t - 1)*sin(3*t)
claim s5: solution x = max(cos(3*t), -cos(3*t))
claim s6: solution x = cos(3*t)*t/t
claim s7: solution x = sin(6*t)/(2*cos(3*t))
claim s8: solution x = abs(sin(3*t))*sign(sin(3*t))
claim s9: solution x = tan(3*t)/sqrt(1 + tan(3*t)^2)
claim s10: solution x = cos(3*abs(t))
claim s11: solution x = sin(3*abs(t))
MODEL
"$HAMEL" prove "$SCRATCH/m.ham" --form maggi
