// What a motion in pieces says about itself: its changes, where its energy went.
#include "api/pieces.h"

#include "base/decimal.h"

#include <math.h>

static double energy_now(const pieces *w) {
    if (!w->law || !contact_law_at(w->law, w->t, w->q, w->qd, w->parameter)) return NAN;
    return contact_law_energy(w->law);
}

static void write_change(const piece_change *c, text *out) {
    text_append(out, "  t = ");
    decimal_append(c->t, out);
    switch (c->kind) {
    case CHANGE_RESET: text_format(out, ": reset %s\n", c->name); break;
    case CHANGE_MODE:
        text_format(out, ": %s %s, was %s\n", c->name, contact_mode_name(c->to),
                    contact_mode_name(c->from));
        break;
    case CHANGE_IMPACT:
        text_format(out, ": %s is hit at speed %.6g", c->name, -c->speed);
        if (c->lost != 0)
            text_format(out, ", energy %s %.6g", c->lost < 0 ? "gained" : "lost", fabs(c->lost));
        text_char(out, '\n');
        break;
    }
}

// The first and the last of many
void pieces_write_text(const pieces *w, text *out) {
    enum { HEAD = 12, TAIL = 6 };
    const uint32_t count = w->changes_count, skip = count > HEAD + TAIL ? count - HEAD - TAIL : 0;
    for (uint32_t i = 0; i < w->contacts; i++)
        text_format(out, "contact %s: %s at the start, %s at the end\n",
                    w->outer->m->contacts[i].name, contact_mode_name(w->first_mode[i]),
                    contact_mode_name(w->mode[i]));
    if (count) text_format(out, "changes %u\n", count);
    for (uint32_t i = 0; i < count; i++) {
        if (skip && i == HEAD) text_format(out, "  .. %u more\n", skip);
        if (skip && i >= HEAD && i < HEAD + skip) continue;
        write_change(&w->changes[i], out);
    }
    for (uint32_t i = 0; i < w->contacts; i++)
        if (isfinite(w->rests_at[i])) {
            text_format(out, "impacts of %s accumulate: it is closed from t = ",
                        w->outer->m->contacts[i].name);
            decimal_append(w->rests_at[i], out);
            text_append(out, " on\n");
        }
    const double energy = energy_now(w);
    if (isfinite(energy))
        text_format(out, "energy %.10g at the start, %.10g at the end; impacts took %.10g\n",
                    w->energy_first, energy, w->lost_at_impacts);
}

static void write_modes(const pieces *w, const char *name, const contact_mode *mode, json *out) {
    json_open(out, name, '{');
    for (uint32_t i = 0; i < w->contacts; i++)
        json_string(out, w->outer->m->contacts[i].name, contact_mode_name(mode[i]));
    json_close(out, '}');
}

void pieces_write_json(const pieces *w, json *out) {
    static const char *const kinds[] = {"mode", "impact", "reset"};
    json_open(out, "changes", '[');
    for (uint32_t i = 0; i < w->changes_count; i++) {
        const piece_change *c = &w->changes[i];
        json_open(out, NULL, '{');
        json_number(out, "t", c->t);
        json_string(out, "kind", kinds[c->kind]);
        json_string(out, "name", c->name);
        if (c->kind == CHANGE_MODE) {
            json_string(out, "from", contact_mode_name(c->from));
            json_string(out, "to", contact_mode_name(c->to));
        }
        if (c->kind == CHANGE_IMPACT) {
            json_number(out, "speed", c->speed);
            json_number(out, "lost", c->lost);
        }
        json_close(out, '}');
    }
    json_close(out, ']');
    write_modes(w, "modes_at_start", w->first_mode, out);
    write_modes(w, "modes", w->mode, out);
    json_open(out, "rests_at", '{');
    for (uint32_t i = 0; i < w->contacts; i++)
        if (isfinite(w->rests_at[i]))
            json_number(out, w->outer->m->contacts[i].name, w->rests_at[i]);
    json_close(out, '}');
    const double energy = energy_now(w);
    if (!isfinite(energy)) return;
    json_open(out, "energies", '{');
    json_number(out, "start", w->energy_first);
    json_number(out, "end", energy);
    json_number(out, "impacts", w->lost_at_impacts);
    json_close(out, '}');
}

run_changes pieces_changes(const pieces *w) {
    return (run_changes){.count = w->changes_count,
                         .at = w->changes,
                         .first = w->first_mode,
                         .last = w->mode,
                         .rests_at = w->rests_at,
                         .impacts = w->impacts,
                         .lost = w->lost_at_impacts};
}
