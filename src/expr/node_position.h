// Where a node stands in the array that expr_reachable() returns, which is in index order: values
// kept in an array beside it are found again by this position. Used by traversals that keep a value
// for every node.
#ifndef HAMEL_EXPR_NODE_POSITION_H
#define HAMEL_EXPR_NODE_POSITION_H

#include "expr/expr.h"

#include <assert.h>

static inline uint32_t node_position(const expr *nodes, uint32_t count, expr e) {
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (nodes[middle] < e) low = middle + 1;
        else high = middle;
    }
    assert(low < count && nodes[low] == e);
    return low;
}

#endif
