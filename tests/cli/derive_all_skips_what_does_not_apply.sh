"$HAMEL" derive sleigh --form all
