// The built-in library of models.
#include "api/api_internal.h"

#include "base/embedded.h"

size_t hamel_library_count(void) { return embedded_model_count; }
const char *hamel_library_name(size_t index) {
    return index < embedded_model_count ? embedded_models[index].name : NULL;
}

const char *hamel_library_text(size_t index, size_t *size) {
    if (index >= embedded_model_count) return NULL;
    if (size) *size = embedded_models[index].size;
    return (const char *)embedded_models[index].text;
}

static hamel_status write_template(const char *name, char **result) {
    text t = {0};
    text_format(&t,
                "# %s: describe the system here\n"
                "system %s \"a block on a plane with a blade under it\"\n"
                "param m = 1, J = 1/2, g = 9.81\n"
                "coord x, y, theta\n"
                "\n"
                "kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\n"
                "potential -m*g*x/2\n"
                "constraint blade: y'*cos(theta) - x'*sin(theta) = 0\n"
                "\n"
                "initial x = 0, y = 0, theta = 0.1, x' = 1, theta' = 0.5\n"
                "simulate t = 0 .. 10, tol = 1e-12, output = 0.05\n"
                "invariant energy = m/2*(x'^2 + y'^2) + J/2*theta'^2 - m*g*x/2\n",
                name, name);
    return api_finish_text(&t, result);
}

static hamel_status enter_and_write_template(const char *name, char **result) {
    API_CALL(NULL, result, write_template(name, result), "writing a model");
}

char *hamel_library_template(const char *name) {
    char *result;
    if (!name) return NULL;
    enter_and_write_template(name, &result);
    return result;
}
