// Lists that grow: LIST(type, name) declares the three members `name`, `name_count` and
// `name_capacity` of a struct, list_push(owner, name, value) appends to them. A struct set to zero
// has empty lists; memory_free(owner->name) gives one back.
#ifndef HAMEL_BASE_LIST_H
#define HAMEL_BASE_LIST_H

#include "base/memory.h"

#include <stdint.h>

#define LIST(type, name)                                                                           \
    type *name;                                                                                    \
    uint32_t name##_count, name##_capacity

#define list_push(owner, name, ...)                                                                \
    do {                                                                                           \
        array_reserve((owner)->name, (owner)->name##_count, (owner)->name##_capacity);             \
        (owner)->name[(owner)->name##_count++] = __VA_ARGS__;                                      \
    } while (0)

#endif
