// Products of two registers that are there already, found by their factors. Make one with {0}, free
// it.
#ifndef HAMEL_CODEGEN_PRODUCT_TABLE_H
#define HAMEL_CODEGEN_PRODUCT_TABLE_H

#include <stdint.h>

typedef struct {
    uint32_t *table;  // open addressing: register + 1
    uint32_t *factor; // by register, two: of a product
    uint32_t size, products, registers;
} product_table;

// The register of a * b: one that is there, or else `otherwise`, which is to be made.
uint32_t product_table_find(product_table *w, uint32_t a, uint32_t b, uint32_t otherwise);
// The factors of a product that was to be made, two
const uint32_t *product_table_factors(const product_table *w, uint32_t product);
void product_table_free(product_table *w);

#endif
