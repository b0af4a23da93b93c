// The list of targets.
#include "codegen/target.h"

#include <string.h>

#define TARGET(id) extern const target target_##id;
#include "codegen/targets.def"
#undef TARGET

static const target *const targets[] = {
#define TARGET(id) &target_##id,
#include "codegen/targets.def"
#undef TARGET
};

enum { COUNT = sizeof targets / sizeof *targets };

uint32_t target_count(void) { return COUNT; }
const target *target_at(uint32_t index) { return targets[index]; }

const target *target_find(const char *id) {
    for (uint32_t i = 0; i < COUNT; i++)
        if (strcmp(targets[i]->id, id) == 0) return targets[i];
    return NULL;
}
