// What was simplified before.  Inside of the normal room.
#ifndef HAMEL_NORMAL_MEMORY_H
#define HAMEL_NORMAL_MEMORY_H

#include "normal/normal.h"

expr memory_recall(const normal_memory *m, expr e); // EXPR_NONE if it is not there, or there is no memory
void memory_keep(normal_memory *m, expr e, expr simplest);

#endif
