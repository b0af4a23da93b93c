"$HAMEL" check rolling_disc
