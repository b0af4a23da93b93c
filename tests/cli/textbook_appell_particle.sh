"$HAMEL" derive rs_3_3_appell
