"$HAMEL" transpose rs_4_2_sleigh --form voronets-chaplygin-g
"$HAMEL" transpose rs_4_2_sleigh --form a-model-b --json
"$HAMEL" transpose rs_4_2_sleigh --format latex
"$HAMEL" transpose rs_4_2_sleigh --form maggi
