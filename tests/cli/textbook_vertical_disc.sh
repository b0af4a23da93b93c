"$HAMEL" derive vertical_disc
