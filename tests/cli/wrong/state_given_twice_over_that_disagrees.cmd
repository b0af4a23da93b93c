eval state_given_twice_over_that_disagrees.ham --at "theta=0, x'=1, y'=0.5"
