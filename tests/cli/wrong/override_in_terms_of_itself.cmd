check override_in_terms_of_itself.ham --set m=2*k
