// Steady motions in words and as JSON.
#include "api/steady_job.h"

#include <string.h>

enum { DIGITS = 30, SHORT_DIGITS = 15 };

// --- numbers -------------------------------------------------------------------------------------

static const char *number(const steady_job *j, arb_srcptr v, slong digits) {
    if (arb_contains_zero(v)) return "0";
    char *s = arb_get_str(v, digits, ARB_STR_NO_RADIUS);
    const char *copy = arena_copy(&j->m->ctx->arena, s, strlen(s));
    flint_free(s);
    return copy;
}

const char *steady_job_number(const steady_job *j, arb_srcptr v) { return number(j, v, DIGITS); }

const char *steady_job_radius(const steady_job *j, const mag_t r) {
    arf_t f;
    arf_init(f);
    arf_set_mag(f, r);
    const double d = arf_get_d(f, ARF_RND_UP);
    arf_clear(f);
    return arena_format(&j->m->ctx->arena, "%.2e", d * 1.01); // two digits, rounded up
}

static const char *name_of(const steady_job *j, expr symbol) {
    return expr_symbol_text(j->s->pool, symbol);
}

// q, q', eta by their number
static expr part(const mechanics *s, uint32_t i) {
    return i < s->n ? s->q[i] : i < 2 * s->n ? s->qd[i - s->n] : s->eta[i - 2 * s->n];
}

// What changes with a parameter of the family, row i of the tangents: EXPR_NONE if it has no name
// of its own, or does not change
static expr changing(const steady_job *j, const steady_motion *m, uint32_t i, uint32_t k) {
    const mechanics *s = j->s;
    if (arb_contains_zero(m->tangent + (size_t)i * m->family + k)) return EXPR_NONE;
    if (i >= 2 * s->n + s->m) return j->solved[i - 2 * s->n - s->m];
    return i < 2 * s->n || s->has_quasi ? part(s, i) : EXPR_NONE;
}

static arb_srcptr value(const steady_motion *m, expr symbol) {
    return state_get((state *)&m->x, symbol);
}

// The largest radius of q, q', eta and the parameters that were solved for
static const char *radius(const steady_job *j, const steady_motion *m) {
    const mechanics *s = j->s;
    const uint32_t count = 2 * s->n + s->m;
    mag_t largest;
    mag_init(largest);
    for (uint32_t i = 0; i < count + j->solved_count; i++)
        mag_max(largest, largest,
                arb_radref(value(m, i < count ? part(s, i) : j->solved[i - count])));
    const char *words = steady_job_radius(j, largest);
    mag_clear(largest);
    return words;
}

// --- JSON ----------------------------------------------------------------------------------------

static void write_values(const steady_job *j, const steady_motion *m, json *out, const char *key,
                         uint32_t count, const expr *symbol) {
    json_open(out, key, '{');
    for (uint32_t i = 0; i < count; i++) {
        const expr base = expr_symbol_of_order(j->s->pool, symbol[i], 0);
        const symbol_role role = expr_as_symbol(j->s->pool, symbol[i])->role;
        json_string(out,
                    role == ROLE_COORDINATE && key[1] == 'd' ? expr_symbol_name(j->s->pool, base)
                                                             : name_of(j, symbol[i]),
                    steady_job_number(j, value(m, symbol[i])));
    }
    json_close(out, '}');
}

// Coordinates that a symmetry shifts alone: nothing depends on them
static void write_ignorable(const steady_job *j, json *out) {
    const mechanics *s = j->s;
    json_open(out, "ignorable", '[');
    for (uint32_t a = 0; a < j->group.count; a++) {
        uint32_t moved = 0, last = 0;
        for (uint32_t i = 0; i < s->n; i++)
            if (j->group.at[a].field[i] != EXPR_ZERO) moved++, last = i;
        if (j->group.at[a].is_shift && moved == 1)
            json_string(out, NULL, expr_symbol_name(s->pool, s->q[last]));
    }
    json_close(out, ']');
}

static void write_json_family(const steady_job *j, const steady_motion *m, json *out) {
    json_integer(out, "family_dimension", m->family);
    json_open(out, "parameters", '[');
    for (uint32_t k = 0; k < m->family && m->parameter; k++)
        json_string(out, NULL, name_of(j, m->parameter[k]));
    json_close(out, ']');
    json_open(out, "tangents", '[');
    for (uint32_t k = 0; k < m->family && m->tangent; k++) {
        json_open(out, NULL, '{');
        for (uint32_t i = 0; i < m->height; i++) {
            const expr e = changing(j, m, i, k);
            if (e != EXPR_NONE)
                json_string(out, name_of(j, e),
                            steady_job_number(j, m->tangent + (size_t)i * m->family + k));
        }
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_json_motion(const steady_job *j, const steady_motion *m, json *out) {
    const mechanics *s = j->s;
    json_open(out, NULL, '{');
    json_open(out, "state", '{');
    write_values(j, m, out, "q", s->n, s->q);
    write_values(j, m, out, "qd", s->n, s->qd);
    write_values(j, m, out, "eta", s->m, s->eta);
    json_close(out, '}');
    if (j->solved_count) write_values(j, m, out, "solved", j->solved_count, j->solved);
    steady_job_write_trim_json(j, m, out);
    json_open(out, "lambda", '{');
    for (uint32_t i = 0; i < s->k; i++)
        json_string(out, j->m->constraints[s->constraint[i]].name,
                    steady_job_number(j, value(m, s->multiplier[i])));
    json_close(out, '}');
    json_open(out, "speeds", '[');
    for (uint32_t a = 0; a < j->group.count; a++)
        json_string(out, NULL, steady_job_number(j, m->speed + a));
    json_close(out, ']');
    json_integer(out, "isotropy", m->isotropy);
    if (m->proved) json_string(out, "radius", radius(j, m));
    if (m->multiple) json_bool(out, "multiple", true);
    if (m->exact) json_bool(out, "exact", true);
    if (m->singular) json_bool(out, "singular", true);
    if (m->kink) json_bool(out, "kink", true);
    write_json_family(j, m, out);
    json_close(out, '}');
}

static const char *bound(const steady_job *j, double v) {
    return arena_format(&j->m->ctx->arena, "%.17g", v);
}

static void write_json_box(const steady_job *j, json *out) {
    const steady_motions *all = &j->all;
    json_bool(out, "complete", all->complete);
    if (all->reason) json_string(out, "reason", all->reason);
    json_open(out, "held", '[');
    for (uint32_t i = 0; i < all->held_count; i++) json_string(out, NULL, name_of(j, all->held[i]));
    json_close(out, ']');
    json_open(out, "undecided", '[');
    for (uint32_t k = 0; k < all->undecided; k++) {
        json_open(out, NULL, '{');
        for (uint32_t i = 0; i < all->unknowns; i++) {
            json_open(out, name_of(j, all->unknown[i]), '[');
            for (uint32_t side = 0; side < 2; side++)
                json_string(out, NULL, bound(j, all->box[(k * all->unknowns + i) * 2 + side]));
            json_close(out, ']');
        }
        json_close(out, '}');
    }
    json_close(out, ']');
}

void steady_job_write_json(const void *of, json *out) {
    const steady_job *j = of;
    json_open(out, NULL, '{');
    api_write_symmetries(j->s, &j->group, out);
    write_ignorable(j, out);
    if (j->asks_closed) steady_job_write_closed_json(j, out);
    json_open(out, "motions", '[');
    if (!j->in_box && !j->asks_closed) write_json_motion(j, &j->motion, out);
    for (uint32_t i = 0; i < j->all.count; i++) write_json_motion(j, &j->all.motion[i], out);
    json_close(out, ']');
    if (j->in_box) write_json_box(j, out);
    json_close(out, '}');
}

// --- words ---------------------------------------------------------------------------------------

static void write_row(const steady_job *j, const steady_motion *m, text *out, expr symbol) {
    text_format(out, "  %-20s %s%s\n", name_of(j, symbol), steady_job_number(j, value(m, symbol)),
                api_unit_in_brackets(j->m, symbol));
}

static void write_family(const steady_job *j, const steady_motion *m, text *out) {
    // around a motion that is not proved only the linear part is known
    text_format(out, "family         of dimension %u%s, moved copies not counted", m->family,
                m->proved ? "" : " at most");
    for (uint32_t k = 0; k < m->family && m->parameter; k++)
        text_format(out, "%s%s",
                    !k                  ? "; parametrised by "
                    : k + 1 < m->family ? ", "
                                        : " and ",
                    name_of(j, m->parameter[k]));
    text_append(out, "\n");
    for (uint32_t k = 0; k < m->family && m->tangent; k++) {
        text_format(out, "  d/d(%s)", name_of(j, m->parameter[k]));
        const char *comma = " ";
        for (uint32_t i = 0; i < m->height; i++) {
            const expr e = changing(j, m, i, k);
            if (e == EXPR_NONE || e == m->parameter[k]) continue;
            text_format(out, "%s%s: %s", comma, name_of(j, e),
                        number(j, m->tangent + (size_t)i * m->family + k, SHORT_DIGITS));
            comma = ", ";
        }
        text_append(out, *comma == ' ' ? " nothing else changes\n" : "\n");
    }
}

static void write_motion(const steady_job *j, const steady_motion *m, text *out) {
    const mechanics *s = j->s;
    for (uint32_t i = 0; i < 2 * s->n + (s->has_quasi ? s->m : 0); i++)
        write_row(j, m, out, part(s, i));
    if (j->solved_count)
        text_format(out, "%s that hold it\n",
                    j->trim_count < j->solved_count && j->trim_count ? "parameters and inputs"
                    : j->trim_count                                  ? "inputs"
                                                                     : "parameters");
    for (uint32_t i = 0; i < j->solved_count; i++) write_row(j, m, out, j->solved[i]);
    steady_job_write_trim_text(j, m, out);
    if (s->k) text_append(out, "multipliers\n");
    for (uint32_t i = 0; i < s->k; i++) write_row(j, m, out, s->multiplier[i]);
    if (j->group.count) text_append(out, "speeds of the symmetries that carry it\n");
    for (uint32_t a = 0; a < j->group.count; a++)
        text_format(out, "  %-34s %s\n", j->group.at[a].name, steady_job_number(j, m->speed + a));
    if (m->isotropy)
        text_format(out,
                    "isotropy       %u combination%s of the symmetries leave%s this state where it "
                    "is: %s\n",
                    m->isotropy, m->isotropy == 1 ? "" : "s", m->isotropy == 1 ? "s" : "",
                    m->without ? "as many speeds are taken as 0" : "the shortest speeds are taken");
    if (m->family) write_family(j, m, out);
    if (m->proved)
        text_format(out,
                    "proved         it exists within %s of these numbers, and is the only one with "
                    "the values that were not solved for\n",
                    radius(j, m));
    else if (m->kink)
        text_append(out, "not proved     a function in the equations jumps or bends there: the "
                         "numbers satisfy them, and nothing is said of what is around\n");
    else if (m->singular)
        text_append(out, "singular       the coordinates fail there: the equations hold but do not "
                         "determine accelerations, and it may be no motion\n");
    else if (m->exact)
        text_append(out,
                    "proved         it exists, and has exactly these numbers: a multiple root of "
                    "the equations\n");
    else if (m->multiple)
        text_format(out,
                    "not proved     a multiple root%s: the numbers satisfy the equations, whose "
                    "slopes are singular there\n",
                    m->isotropy ? ", or a family that is not told from one" : "");
    else text_append(out, "not proved     the numbers satisfy the equations to their digits\n");
}

static arb_srcptr value_at(const steady_job *j, expr symbol) {
    return state_get((state *)&j->all.x, symbol);
}

// Where no motion shows what was not solved for
static void write_stays(const steady_job *j, text *out) {
    const char *before = "with           ";
    for (uint32_t i = 0; i < 2 * j->s->n; i++) {
        if (j->all.use[i] != UNKNOWN_HELD) continue;
        text_format(out, "%s%s = %s", before, name_of(j, part(j->s, i)),
                    number(j, value_at(j, part(j->s, i)), SHORT_DIGITS));
        before = ", ";
    }
    if (*before == ',') text_append(out, "\n");
}

static void write_box(const steady_job *j, text *out) {
    enum { MOST_WRITTEN = 20 };
    const steady_motions *all = &j->all;
    for (uint32_t i = 0; i < all->held_count; i++)
        text_format(
            out,
            "held           %s = %s, the middle of its range: the others are determined by it\n",
            name_of(j, all->held[i]), number(j, value_at(j, all->held[i]), SHORT_DIGITS));
    if (!all->count) write_stays(j, out);
    if (all->complete)
        text_format(
            out, "complete       it is proved that there are no others in the box%s (%u boxes)\n",
            all->held_count ? " with what is held" : "", all->boxes);
    else
        text_format(out, "not complete   others may be in the box (%u starts): %s\n", all->starts,
                    all->reason);
    for (uint32_t k = 0; k < all->undecided && k < MOST_WRITTEN; k++) {
        text_append(out, "  undecided   ");
        for (uint32_t i = 0; i < all->unknowns; i++)
            text_format(out, "%s %s = %.9g .. %.9g", i ? "," : "", name_of(j, all->unknown[i]),
                        all->box[(k * all->unknowns + i) * 2],
                        all->box[(k * all->unknowns + i) * 2 + 1]);
        text_append(out, "\n");
    }
    if (all->undecided > MOST_WRITTEN)
        text_format(out, "  undecided    %u more boxes\n", all->undecided - MOST_WRITTEN);
}

void steady_job_write_text(const void *of, text *out) {
    const steady_job *j = of;
    if (j->asks_closed) {
        steady_job_write_closed_text(j, out);
        return;
    }
    if (!j->in_box) {
        text_append(out, "steady motion\n");
        write_motion(j, &j->motion, out);
        return;
    }
    const char *count = arena_format(&j->m->ctx->arena, "%u", j->all.count);
    text_format(out, "%s steady motion%s%s in the box\n", j->all.count ? count : "no",
                j->all.count == 1 ? "" : "s", j->all.count || j->all.complete ? "" : " found");
    for (uint32_t i = 0; i < j->all.count; i++) {
        text_format(out, "motion %u\n", i + 1);
        write_motion(j, &j->all.motion[i], out);
    }
    write_box(j, out);
}
