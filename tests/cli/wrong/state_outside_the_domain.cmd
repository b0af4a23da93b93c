eval state_outside_the_domain.ham --at x=-1
