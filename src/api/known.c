// What can be named in a call: ids of forms, methods, formats, targets and library models, one by
// one, and the nearest of some names to a misspelt one.
#include "base/names.h"
#include "derive/formalism.h"
#include "hamel.h"
#include "integrate/integrator.h"

#include <string.h>

static const char *form_at(size_t index, const char **about) {
    if (index >= formalism_count()) return NULL;
    *about = formalism_at((uint32_t)index)->name;
    return formalism_at((uint32_t)index)->id;
}

static const char *method_at(size_t index, const char **about) {
    if (index >= integrator_count()) return NULL;
    *about = integrator_at((uint32_t)index)->name;
    return integrator_at((uint32_t)index)->id;
}

// In the order of hamel_format.
static const char *format_at(size_t index, const char **about) {
    static const char *const names[] = {"text", "latex", "markdown", "json", "sympy"};
    *about = NULL;
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

static const char *target_at(size_t index, const char **about) {
    *about = "C99 with libm";
    return index ? NULL : "c";
}

static const char *model_at(size_t index, const char **about) {
    *about = NULL;
    return index < hamel_library_count() ? hamel_library_name(index) : NULL;
}

static const struct {
    const char *kind;
    const char *(*at)(size_t index, const char **about);
} lists[] = {{"forms", form_at},
             {"methods", method_at},
             {"formats", format_at},
             {"targets", target_at},
             {"models", model_at}};

const char *hamel_known(const char *kind, size_t index, const char **about) {
    const char *unused;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(lists[i].kind, kind) == 0) return lists[i].at(index, about ? about : &unused);
    return NULL;
}

const char *hamel_nearest(const char *name, const char *const *known, size_t count) {
    names table = {0};
    for (size_t i = 0; i < count; i++) names_put(&table, known[i], (uint32_t)i);
    const char *near = names_nearest(&table, name, NULL); // one of `known`, which the table holds
    names_free(&table);
    return near;
}
