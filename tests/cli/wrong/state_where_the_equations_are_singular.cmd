eval state_where_the_equations_are_singular.ham --at x=0
