check override_of_an_unknown_parameter.ham --set mas=2
