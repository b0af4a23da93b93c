# free particle with z' = y*x'
"$HAMEL" derive - <<END
coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint z' = y*x'
END
