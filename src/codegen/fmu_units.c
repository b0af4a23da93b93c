// Units as FMI 2.0 defines them: a name, and the SI units that it is made of.
#include "codegen/fmu.h"

#include "base/decimal.h"
#include "base/html.h"
#include "model/dimension.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const base_name[DIMENSION_BASES] = {"m", "kg", "s", "A", "K"};

typedef struct {
    int exponent[DIMENSION_BASES];
    double factor;
    int angle; // the exponent of rad
} unit_parts;

// One factor, "m", "s^2", "s^-2"; where it ends, or NULL where it is none that has a whole exponent
static const char *read_factor(const char *at, int sign, unit_parts *parts) {
    char name[16];
    size_t length = 0;
    unit_size size;
    while (isalpha((unsigned char)at[length])) length++;
    if (*at == '1' && !isdigit((unsigned char)at[1])) return at + 1;
    if (!length || length >= sizeof name) return NULL;
    memcpy(name, at, length), name[length] = '\0';
    if (!unit_find(name, &size)) return NULL;
    at += length;
    long power = 1;
    if (*at == '^') {
        char *end;
        power = strtol(at + 1, &end, 10);
        if (end == at + 1 || labs(power) > 20) return NULL;
        at = end;
    }
    for (int b = 0; b < DIMENSION_BASES; b++)
        parts->exponent[b] += sign * (int)power * (size.dimension.of[b] / DIMENSION_WHOLE);
    parts->factor *=
        pow((double)size.up / (double)size.down * pow(acos(-1), size.pi), (double)(sign * power));
    if (strcmp(name, "rad") == 0) parts->angle += sign * (int)power;
    return at;
}

// "kg*m^2/s^2", "kg/(m*s)": what it is made of; false where this cannot be told
static bool read_unit(const char *unit, unit_parts *parts) {
    int sign = 1, next = 1;
    bool inside = false;
    *parts = (unit_parts){.factor = 1};
    for (const char *at = unit; *at;) {
        if (*at == '(' && !inside) {
            inside = true, sign = next, at++;
            continue;
        }
        at = read_factor(at, inside ? sign : next, parts);
        if (at && *at == ')' && inside) inside = false, at++;
        if (!at) return false;
        if (!*at) return !inside;
        if (*at != '*' && *at != '/') return false;
        if (inside && *at == '/') return false;
        next = *at == '/' ? -1 : 1;
        at++;
        if (!*at) return false;
    }
    return false;
}

static void write_unit(const char *unit, text *out) {
    unit_parts parts;
    text_append(out, "    <Unit name=\"");
    html_text(unit, out);
    if (!read_unit(unit, &parts)) {
        text_append(out, "\"/>\n");
        return;
    }
    text_append(out, "\">\n      <BaseUnit");
    for (int b = 0; b < DIMENSION_BASES; b++) {
        static const int order[] = {BASE_MASS, BASE_LENGTH, BASE_TIME, BASE_CURRENT,
                                    BASE_TEMPERATURE};
        if (parts.exponent[order[b]])
            text_format(out, " %s=\"%d\"", base_name[order[b]], parts.exponent[order[b]]);
    }
    if (parts.angle) text_format(out, " rad=\"%d\"", parts.angle);
    if (parts.factor != 1) {
        text_append(out, " factor=\"");
        decimal_append(parts.factor, out);
        text_append(out, "\"");
    }
    text_append(out, "/>\n    </Unit>\n");
}

typedef struct {
    uint32_t count, capacity;
    const char **name;
} units;

static void note(units *all, uint32_t count, const char *const *unit) {
    for (uint32_t i = 0; unit && i < count; i++) {
        bool is_known = !unit[i];
        for (uint32_t k = 0; k < all->count && !is_known; k++)
            is_known = strcmp(all->name[k], unit[i]) == 0;
        if (is_known) continue;
        array_reserve(all->name, all->count, all->capacity);
        all->name[all->count++] = unit[i];
    }
}

void fmu_write_units(const project *g, text *out) {
    static const char *const second = "s";
    units all = {0};
    note(&all, g->state_count, g->state_unit);
    note(&all, g->parameter_count + g->input_count, g->parameter_unit);
    note(&all, g->state_count, g->function[0].unit);
    if (g->fmu->shown) note(&all, g->fmu->shown->t->output_count, g->fmu->shown->unit);
    if (all.count) note(&all, 1, &second);
    if (all.count) text_append(out, "  <UnitDefinitions>\n");
    for (uint32_t i = 0; i < all.count; i++) write_unit(all.name[i], out);
    if (all.count) text_append(out, "  </UnitDefinitions>\n");
    memory_free(all.name);
}
