"$HAMEL" derive sleigh --form lagrange
