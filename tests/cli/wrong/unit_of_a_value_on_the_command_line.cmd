eval unit_of_a_value_on_the_command_line.ham --at "th = 5 [deg], x = 3 [kg]"
