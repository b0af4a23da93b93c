// Equations as data, between the file that makes them of a pool (equations_data.c) and the one that
// puts them into words (equations_text.c). Nothing in them points into the pool: they outlive it,
// and to be written they become expressions of another one.
#ifndef HAMEL_API_EQUATIONS_DATA_H
#define HAMEL_API_EQUATIONS_DATA_H

#include "api/api_internal.h"

enum { EQUATIONS_DATA_PARTS = HAMEL_STARTS + 1 };

typedef struct {
    size_t count;
    hamel_expr *at;
    const char **name; // NULL: nothing in it has a name of its own
} equations_data_part;

// What a node is in the terms of the pool
typedef struct {
    uint8_t kind;  // expr_kind
    uint8_t role;  // of a symbol
    uint32_t base; // of a symbol or a function: the number of the one that is not differentiated
} equations_data_node;

struct hamel_equations {
    arena words; // of all that follows
    const char *form;
    size_t node_count;
    hamel_node *node;
    equations_data_node *inside; // of each node
    equations_data_part part[EQUATIONS_DATA_PARTS];
};

#endif
