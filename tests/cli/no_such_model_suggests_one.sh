"$HAMEL" check sleig
