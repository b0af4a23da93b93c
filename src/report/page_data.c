// The data that a page carries: the columns of the run, how well it kept what it should keep, its
// events; and the scene.
#include "report/page_data.h"

#include "hamel.h"
#include "print/expression.h"
#include "print/mathml.h"
#include "integrate/conserved.h"
#include "report/page.h"
#include "report/scene.h"

#include <math.h>
#include <string.h>

enum { MOST_DIGITS = 17, LEAST_DIGITS = 6, ERROR_DIGITS = 3 };

// --- how much is written -------------------------------------------------------------------------

typedef struct {
    int digits;
    uint64_t count; // rows, spread over those of the run
} extract;

static double value_at(const finished_run *r, extract x, uint64_t i, uint32_t column) {
    return table_at(r->rows, spread(i, x.count, r->rows->row_count), column);
}

// |value - first value|
static double error_at(const finished_run *r, extract x, uint64_t i, uint32_t column) {
    return fabs(value_at(r, x, i, column) - table_at(r->rows, 0, column));
}

static void write_values(const finished_run *r, extract x, uint32_t column, const char *key,
                         json *out) {
    json_open(out, key, '[');
    for (uint64_t i = 0; i < x.count; i++)
        json_decimal(out, NULL, value_at(r, x, i, column), x.digits);
    json_close(out, ']');
}

static void write_errors(const finished_run *r, extract x, uint32_t column, const char *key,
                         json *out) {
    json_open(out, key, '[');
    for (uint64_t i = 0; i < x.count; i++)
        json_decimal(out, NULL, error_at(r, x, i, column), ERROR_DIGITS);
    json_close(out, ']');
}

static size_t length_of(const finished_run *r, extract x) {
    text scratch = {0};
    size_t length = 0;
    for (uint32_t c = 0; c < r->rows->column_count; c++) {
        text_clear(&scratch);
        write_values(r, x, c, NULL, &(json){.out = &scratch});
        if (column_should_stay(r->sim->column[c].kind))
            write_errors(r, x, c, NULL, &(json){.out = &scratch});
        length += scratch.length;
    }
    text_free(&scratch);
    return length;
}

// As many digits as there is room for: each costs one character a value at most. If the fewest are
// too many, fewer rows.
static extract fit(const finished_run *r, size_t budget) {
    extract x = {LEAST_DIGITS, r->rows->row_count};
    size_t length = length_of(r, x);
    for (; length > budget && x.count > 2; length = length_of(r, x)) {
        const double share = (double)budget / (double)length * 0.99;
        x.count = (uint64_t)fmax(2, floor((double)x.count * share));
    }
    const size_t values = x.count * r->rows->column_count;
    while (x.digits < MOST_DIGITS && length + values <= budget) x.digits++, length += values;
    return x;
}

// --- columns, errors, events ---------------------------------------------------------------------

// The name as mathematics: lambda[blade] as a letter with an index, x' with a dot.
static void write_label(const column *c, json *out) {
    const size_t length = strcspn(c->name, "'");
    char *plain = memcpy(memory_zeros(char, length + 1), c->name, length);
    text latex = {0}, label = {0};
    print_name(plain, (uint32_t)strlen(c->name + length), STYLE_LATEX, &latex);
    mathml_inline(text_string(&latex), &label);
    json_text(out, "label", &label);
    text_free(&latex), text_free(&label);
    memory_free(plain);
}

static const char *kind_of(column_kind k) {
    return k == COLUMN_QUASI ? "quasi" : column_kind_name(k);
}

static void write_columns(const finished_run *r, extract x, json *out) {
    json_open(out, "columns", '[');
    for (uint32_t c = 0; c < r->rows->column_count; c++) {
        json_open(out, NULL, '{');
        json_string(out, "name", r->sim->column[c].name);
        json_string(out, "kind", kind_of(r->sim->column[c].kind));
        write_label(&r->sim->column[c], out);
        if (r->sim->column[c].unit) json_string(out, "unit", r->sim->column[c].unit);
        write_values(r, x, c, "values", out);
        json_close(out, '}');
    }
    json_close(out, ']');
}

// An energy or invariant is measured by its first value, unless that is 0 up to rounding, as
// residuals are.
static double scale_of(const finished_run *r, uint32_t column) {
    static const double NOTHING = 1e-12;
    const double first = fabs(table_at(r->rows, 0, column));
    return r->sim->column[column].kind != COLUMN_RESIDUAL && first > NOTHING ? first : 1;
}

static void write_all_errors(const finished_run *r, extract x, json *out) {
    json_open(out, "errors", '[');
    for (uint32_t c = 0; c < r->rows->column_count; c++) {
        if (!column_is_kept(r->sim, c)) continue;
        json_open(out, NULL, '{');
        json_string(out, "name", r->sim->column[c].name);
        json_decimal(out, "scale", scale_of(r, c), MOST_DIGITS);
        write_errors(r, x, c, "values", out);
        json_close(out, '}');
    }
    json_close(out, ']');
}

// Those of contacts and resets stand in "pieces".
static void write_events(const finished_run *r, json *out) {
    json_open(out, "events", '[');
    for (uint32_t i = 0; i < r->run->record.events_count; i++) {
        if (changes_tell(r->sim->m, r->run->record.events[i].name)) continue;
        json_open(out, NULL, '{');
        json_string(out, "name", r->run->record.events[i].name);
        json_decimal(out, "t", r->run->record.events[i].t, MOST_DIGITS);
        json_integer(out, "direction", r->run->record.events[i].direction);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_run(const finished_run *r, size_t budget, json *out) {
    const extract x = fit(r, budget);
    json_open(out, "run", '{');
    json_string(out, "form", r->form->id);
    json_string(out, "method", r->method->id);
    json_string(out, "outcome", r->outcome);
    json_integer(out, "digits", x.digits);
    json_integer(out, "count", (int64_t)x.count);
    json_integer(out, "rows", (int64_t)r->rows->row_count);
    write_columns(r, x, out);
    write_all_errors(r, x, out);
    write_events(r, out);
    if (r->changes) section_changes_data(r->sim->m, r->sim->t0, r->changes, out);
    json_close(out, '}');
}

void page_data_json(const report *of, size_t budget, json *out) {
    const model *m = of->known.m;
    const finished_run *r = of->run;
    json_open(out, NULL, '{');
    json_string(out, "name", m->name);
    json_string(out, "title", m->title ? m->title : m->name);
    json_string(out, "version", HAMEL_VERSION);
    if (r) {
        write_run(r, budget / 5 * 3, out);
        scene_json(r, budget / 5 * 2, "scene", out);
    } else {
        json_null(out, "run");
        json_null(out, "scene");
    }
    if (of->steady) section_steady_data(of->steady, out);
    else json_null(out, "steady");
    json_close(out, '}');
}
