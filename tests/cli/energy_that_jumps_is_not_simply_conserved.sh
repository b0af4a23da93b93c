cd "$SCRATCH"
cat > jumps.ham <<'END'
coord x, y
kinetic (x'^2 + y'^2)/2
potential y*sign(sin(t))
END
cat > given.ham <<'END'
coord x, y
given f = sin(t)^2 + cos(t)^2
kinetic (x'^2 + y'^2)/2
potential f*y
END
"$HAMEL" prove jumps.ham --form maggi | grep -o 'energy is .*'
"$HAMEL" prove given.ham --form maggi | grep -o 'energy is .*'
