// Lists of (expression, rational): the terms of a sum, the factors of a product.
#include "expr/build.h"

#include <stdlib.h>

void parts_add(parts *list, expr key, const fmpq_t value) {
    array_reserve(list->items, list->count, list->capacity);
    part *item = &list->items[list->count++];
    item->key = key;
    fmpq_init(&item->value);
    fmpq_set(&item->value, value);
}

void parts_free(parts *list) {
    for (uint32_t i = 0; i < list->count; i++) fmpq_clear(&list->items[i].value);
    memory_free(list->items);
}

static int by_key(const void *a, const void *b) {
    const expr x = ((const part *)a)->key, y = ((const part *)b)->key;
    return (x > y) - (x < y);
}

void parts_collect(parts *list) {
    bool sorted = true;
    for (uint32_t i = 1; i < list->count && sorted; i++)
        sorted = list->items[i - 1].key < list->items[i].key;
    if (!sorted) qsort(list->items, list->count, sizeof(part), by_key);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (kept && list->items[kept - 1].key == list->items[i].key) {
            fmpq_add(&list->items[kept - 1].value, &list->items[kept - 1].value,
                     &list->items[i].value);
            fmpq_clear(&list->items[i].value);
        } else {
            if (kept && fmpq_is_zero(&list->items[kept - 1].value))
                fmpq_clear(&list->items[--kept].value);
            list->items[kept++] = list->items[i];
        }
    }
    if (kept && fmpq_is_zero(&list->items[kept - 1].value)) fmpq_clear(&list->items[--kept].value);
    list->count = kept;
}
