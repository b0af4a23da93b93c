"$HAMEL" derive sleigh --form maggi
