// What contacts, resets and clocks are, formula by formula.
#include "api/contact_list.h"

#include "api/api_internal.h"
#include "model/contact_modes.h"
#include "print/expression.h"

// --- text ----------------------------------------------------------------------------------------

static void write_text_item(const model *m, const char *of, const char *what, expr e, text *out) {
    text_format(out, "%-12s ", arena_format(&m->ctx->arena, "%s: %s", of, what));
    api_write_expression(m, e, out);
    text_char(out, '\n');
}

static void write_text_vector(const model *m, const char *of, const char *what, vec3 v, text *out) {
    text_format(out, "%-12s (", arena_format(&m->ctx->arena, "%s: %s", of, what));
    for (int i = 0; i < 3; i++) {
        if (i) text_append(out, ", ");
        api_write_expression(m, v.at[i], out);
    }
    text_append(out, ")\n");
}

static const char *numbered(const model *m, const contact *c, const char *what, uint32_t i) {
    return c->tangents == 1 ? what : arena_format(&m->ctx->arena, "%s %u", what, i + 1);
}

static void write_text_contact(const model *m, const contact *c, text *out) {
    const char *name = c->name;
    text_format(out, "%-12s %s; --set mode[%s]=%s names another\n",
                arena_format(&m->ctx->arena, "%s: mode", name), contact_mode_name(c->mode), name,
                contact_mode_list(m, c, c->mode));
    write_text_item(m, name, "gap", c->gap, out);
    if (c->has_place) {
        write_text_vector(m, name, "place", c->place, out);
        write_text_vector(m, name, "normal", c->normal, out);
    }
    for (uint32_t i = 0; i < c->tangents; i++) {
        write_text_vector(m, name, numbered(m, c, "direction", i), c->tangent[i], out);
        write_text_item(m, name, numbered(m, c, "slip", i), c->slip[i], out);
    }
    if (c->tangents) write_text_item(m, name, "friction", c->static_friction, out);
    if (c->friction != c->static_friction)
        write_text_item(m, name, "kinetic friction", c->friction, out);
    write_text_item(m, name, "restitution", c->restitution, out);
    if (c->mode == MODE_FREE) return;
    write_text_item(m, name, "normal force", c->normal_force, out);
    for (uint32_t i = 0; i < c->tangents; i++)
        write_text_item(m, name, numbered(m, c, "friction force", i), c->tangent_force[i], out);
}

static void write_text_reset(const model *m, const reset *r, text *out) {
    const char *name = reset_words(m, r);
    if (!reset_is_clock(r)) write_text_item(m, name, "when", m->events[r->event].value, out);
    for (uint32_t i = 0; i < r->count; i++)
        write_text_item(
            m, name,
            arena_format(&m->ctx->arena, "new %s", reset_target_name(m, r->values[i].symbol)),
            r->values[i].value, out);
}

void contact_list_text(const model *m, text *out) {
    for (uint32_t i = 0; i < m->contacts_count; i++) write_text_contact(m, &m->contacts[i], out);
    for (uint32_t i = 0; i < m->resets_count; i++) write_text_reset(m, &m->resets[i], out);
}

// --- JSON ----------------------------------------------------------------------------------------

static void write_json_item(const model *m, const char *key, expr e, json *out) {
    text plain = {0}, python = {0};
    api_write_expression(m, e, &plain);
    print_expression(m->pool, e, STYLE_SYMPY, &python);
    json_open(out, key, '{');
    json_text(out, "text", &plain);
    json_text(out, "sympy", &python);
    json_close(out, '}');
    text_free(&plain), text_free(&python);
}

static void write_json_vector(const model *m, const char *key, vec3 v, json *out) {
    json_open(out, key, '[');
    for (int i = 0; i < 3; i++) write_json_item(m, NULL, v.at[i], out);
    json_close(out, ']');
}

static void write_json_list(const model *m, const char *key, uint32_t count, const expr *e,
                            json *out) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++) write_json_item(m, NULL, e[i], out);
    json_close(out, ']');
}

static void write_json_formulas(const model *m, const contact *c, json *out) {
    write_json_item(m, "gap", c->gap, out);
    if (c->has_place) {
        write_json_vector(m, "place", c->place, out);
        write_json_vector(m, "normal", c->normal, out);
    }
    json_open(out, "directions", '[');
    for (uint32_t i = 0; i < c->tangents; i++) write_json_vector(m, NULL, c->tangent[i], out);
    json_close(out, ']');
    write_json_list(m, "slip", c->tangents, c->slip, out);
    if (c->mode == MODE_FREE) return;
    write_json_item(m, "normal_force", c->normal_force, out);
    write_json_list(m, "friction_force", c->tangents, c->tangent_force, out);
}

static void write_json_contact(const model *m, const contact *c, bool formulas, json *out) {
    static const char *const slides[] = {"nowhere", "line", "plane"};
    json_open(out, NULL, '{');
    json_string(out, "name", c->name);
    json_string(out, "mode", contact_mode_name(c->mode));
    json_bool(out, "mode_is_stated", c->mode_is_stated);
    json_open(out, "modes", '[');
    for (int i = 0; i < MODE_COUNT; i++)
        if (contact_has_mode(m, c, (contact_mode)i))
            json_string(out, NULL, contact_mode_name((contact_mode)i));
    json_close(out, ']');
    json_string(out, "slides", slides[c->tangents]);
    write_json_item(m, "friction", c->static_friction, out);
    write_json_item(m, "kinetic_friction", c->friction, out);
    write_json_item(m, "restitution", c->restitution, out);
    if (formulas) write_json_formulas(m, c, out);
    json_close(out, '}');
}

static void write_json_reset(const model *m, const reset *r, json *out) {
    json_open(out, NULL, '{');
    json_string(out, "name", reset_words(m, r));
    if (reset_is_clock(r)) write_json_item(m, "every", r->period, out);
    else write_json_item(m, "when", m->events[r->event].value, out);
    json_open(out, "sets", '{');
    for (uint32_t i = 0; i < r->count; i++)
        write_json_item(m, reset_target_name(m, r->values[i].symbol), r->values[i].value, out);
    json_close(out, '}');
    json_close(out, '}');
}

void contact_list_json(const model *m, bool formulas, json *out) {
    json_open(out, "contacts", '[');
    for (uint32_t i = 0; i < m->contacts_count; i++)
        write_json_contact(m, &m->contacts[i], formulas, out);
    json_close(out, ']');
    json_open(out, "resets", '[');
    for (uint32_t i = 0; i < m->resets_count; i++) write_json_reset(m, &m->resets[i], out);
    json_close(out, ']');
}
