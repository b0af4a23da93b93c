for format in text latex markdown json sympy; do "$HAMEL" derive sleigh --form maggi,multipliers --format $format; done
