// What was simplified before. Inside of the normal room.
#ifndef HAMEL_NORMAL_NORMAL_MEMORY_H
#define HAMEL_NORMAL_NORMAL_MEMORY_H

#include "normal/normal.h"

// EXPR_NONE if it is not there, or there is no memory
expr normal_memory_recall(const normal_memory *m, expr e);
void normal_memory_keep(normal_memory *m, expr e, expr simplest);

#endif
