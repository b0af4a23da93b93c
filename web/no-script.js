// This hamel was built without npm (-DHAMEL_WEB=OFF): its pages have no plots and no animation.
