// What must agree, and what is said where it does not: both dimensions, and where they come from.
#include "parse/dimension_check.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NOTES = 3 };

// The names in an expression whose dimension was not stated, each with the place it follows from
static void note_origins(dim_check *ck, const syntax *node, span but, int *left) {
    if (!node || *left <= 0) return;
    const entry *e =
        node->kind == SYNTAX_NAME ? scope_find(ck->el->scope, SPACE_VALUES, node->name) : NULL;
    const bool stands = e && e->measure && !e->unit && e->measure->type == VALUE_SCALAR &&
                        (e->kind == ENTRY_PARAM || e->kind == ENTRY_COORD ||
                         e->kind == ENTRY_GIVEN || e->kind == ENTRY_INPUT);
    const dim *own = stands ? &e->measure->part[0] : NULL;
    const dim_unknown *u =
        own && own->count == 1 ? &ck->table.unknown[own->parts[0].unknown] : NULL;
    if (u && u->solved && !u->noted && u->at.source &&
        (u->at.source != but.source || u->at.offset != but.offset)) {
        ck->table.unknown[own->parts[0].unknown].noted = true;
        --*left;
        diag_note(ck->el->ctx, u->at, NULL, "`%s` is %s, because of this", e->name,
                  dim_words(&ck->table, *own));
    }
    for (const syntax *i = node->first; i; i = i->next) note_origins(ck, i, but, left);
}

static const char *advise(const syntax *node, const measure *found, const char *unit, arena *a) {
    if (!found->plain || !unit) return NULL;
    if (node && node->kind == SYNTAX_NEGATE) node = node->first;
    const bool number = node && node->kind == SYNTAX_NUMBER;
    const int length = number ? (int)node->at.length : 1;
    const char *shown = number ? node->at.source->bytes + node->at.offset : "3";
    return arena_format(a, "numbers have units in a model with units: write `%.*s [%s]`", length,
                        shown, unit);
}

// "m/s" of a dimension that is known; NULL of others
static const char *unit_text(dim_check *ck, dim d) {
    d = dim_settle(&ck->table, d);
    const bool known = !d.any && !d.lost && !d.count && !dimension_is_none(&d.known);
    return known ? dimension_unit(ck->table.arena, &d.known) : NULL;
}

static void report(dim_check *ck, const syntax *node, const measure *q, dim found,
                   const syntax *other, const measure *wanted, dim expected, const char *words) {
    context *ctx = ck->el->ctx;
    arena *a = ck->table.arena;
    const char *is = dim_words(&ck->table, found), *should = dim_words(&ck->table, expected);
    const char *help = advise(node, q, unit_text(ck, expected), a);
    if (!help && wanted) help = advise(other, wanted, unit_text(ck, found), a);
    ck->failed = true;
    int notes = MOST_NOTES;
    if (wanted) {
        diag_error(ctx, node->at, help, "the dimensions of %s do not agree: this is %s, not %s",
                   words, is, should);
        if (other && other != node) diag_note(ctx, other->at, NULL, "this is %s", should);
    } else {
        diag_error(ctx, node->at, help, "%s is %s, and this is %s", words, should, is);
    }
    note_origins(ck, node, node->at, &notes);
    if (other != node) note_origins(ck, other, node->at, &notes);
}

bool dim_expect_same(dim_check *ck, const syntax *node, measure found, const syntax *other,
                     measure wanted, const char *words) {
    if (found.type == VALUE_VOID || wanted.type == VALUE_VOID || found.type != wanted.type)
        return true;
    for (int i = 0; i < (found.type == VALUE_VECTOR ? 3 : 1) && !ck->failed; i++)
        if (!dim_agree(&ck->table, found.part[i], wanted.part[i], node->at))
            report(ck, node, &found, found.part[i], other, &wanted, wanted.part[i], words);
    return !ck->failed;
}

bool dim_expect(dim_check *ck, const syntax *node, measure found, dim wanted, const char *words) {
    if (found.type != VALUE_SCALAR && found.type != VALUE_VECTOR) return true;
    const syntax *part = node->kind == SYNTAX_TUPLE ? node->first : NULL;
    for (int i = 0; i < (found.type == VALUE_VECTOR ? 3 : 1) && !ck->failed; i++) {
        if (!dim_agree(&ck->table, found.part[i], wanted, node->at)) {
            measure q = found;
            const syntax *c = part ? part : node;
            if (part && c->kind == SYNTAX_NEGATE) c = c->first;
            q.plain |= part && c->kind == SYNTAX_NUMBER && !c->unit;
            report(ck, part ? part : node, &q, found.part[i], NULL, NULL, wanted, words);
        }
        if (part) part = part->next;
    }
    return !ck->failed;
}

bool dim_expect_uniform(dim_check *ck, const syntax *node, measure *v) {
    dim all = dim_any();
    for (int i = 0; i < 3; i++)
        if (all.any) all = v->part[i];
    for (int i = 0; i < 3 && !ck->failed; i++)
        if (!dim_agree(&ck->table, v->part[i], all, node->at))
            report(ck, node, v, v->part[i], node, v, all, "the components of this vector");
    for (int i = 0; i < 3; i++) v->part[i] = all;
    return !ck->failed;
}
