check override_of_a_constant_must_be_an_integer.ham --set N=2.5
