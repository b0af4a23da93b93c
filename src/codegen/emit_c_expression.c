// Operands and steps of a tape as C expressions.
#include "codegen/emit_c_internal.h"

static void write_input(writer *w, uint32_t i, text *out) {
    const uint32_t n = w->t->state_count;
    w->uses[i < n ? USES_Z : i == n ? USES_T : USES_P] = true;
    w->uses_input[i] = true;
    if (i == n) text_append(out, "t");
    else if (w->label) text_append(out, w->label[i]);
    else if (i < n) text_format(out, "z[%u]", i);
    else text_format(out, "p[%u]", i - n - 1);
}

binding emit_c_operand(writer *w, uint32_t reg, text *out) {
    if (reg < w->t->input_count) {
        write_input(w, reg, out);
        return ATOM;
    }
    if (!is_step(w, reg)) {
        const size_t start = out->length;
        scalar_type_literal(w->as, w->t->pool, w->t->constant[reg - w->t->input_count], out);
        return out->bytes[start] == '-' ? NEGATION : ATOM;
    }
    const uint32_t i = reg - w->leaves;
    if (w->part[i] == w->now) {
        text_append(out, w->written[i]);
        return w->binds[i];
    }
    const bool shared = w->part[i] != NO_PLACE;
    w->uses[shared ? USES_KEPT : USES_C] = true;
    text_format(out, "%s[%u]", shared ? "kept" : "c", shared ? w->slot[i] : w->s->place[i]);
    return ATOM;
}

static void write_bracketed(writer *w, uint32_t reg, binding most, text *out) {
    text operand = {0};
    const binding binds = emit_c_operand(w, reg, &operand);
    text_format(out, binds > most ? "(%s)" : "%s", text_string(&operand));
    text_free(&operand);
}

static binding binding_of(const writer *w, uint32_t reg) {
    return is_step(w, reg) && w->part[reg - w->leaves] == w->now ? w->binds[reg - w->leaves] : ATOM;
}

// Brackets keep the order of the tape: an operator binds its left operand first, as C does.
static binding write_binary(writer *w, const tape_step *s, const char *sign, binding own,
                            text *out) {
    const bool commutes = s->operation == TAPE_ADD || s->operation == TAPE_MUL;
    // a*b is b*a to the last bit
    const bool swap = commutes && binding_of(w, s->b) == own && binding_of(w, s->a) != own;
    write_bracketed(w, swap ? s->b : s->a, own, out);
    text_format(out, " %s ", sign);
    write_bracketed(w, swap ? s->a : s->b, own == SUM ? PRODUCT : ATOM, out);
    return own;
}

static void write_call(writer *w, const char *name, const tape_step *s, text *out) {
    scalar_type_function(w->as, name, out);
    text_char(out, '(');
    emit_c_operand(w, s->a, out);
    if (!tape_is_unary(s->operation)) {
        text_append(out, ", ");
        emit_c_operand(w, s->b, out);
    }
    text_char(out, ')');
}

binding emit_c_step(writer *w, const tape_step *s, text *out) {
    switch (s->operation) {
    case TAPE_ADD: return write_binary(w, s, "+", SUM, out);
    case TAPE_SUB: return write_binary(w, s, "-", SUM, out);
    case TAPE_MUL: return write_binary(w, s, "*", PRODUCT, out);
    case TAPE_DIV:
        if (!w->as->quotient) return write_binary(w, s, "/", PRODUCT, out);
        write_call(w, w->as->quotient, s, out);
        return ATOM;
    case TAPE_NEG:
        text_char(out, '-');
        write_bracketed(w, s->a, ATOM, out);
        return NEGATION;
    case TAPE_SIGN: // its operand is a name
        if (w->as->broadcast) {
            write_call(w, "sign", s, out);
            return ATOM;
        }
        text_format(out, "(%s)((", w->as->scalar);
        emit_c_operand(w, s->a, out);
        text_append(out, " > 0) - (");
        emit_c_operand(w, s->a, out);
        text_append(out, " < 0))");
        return NEGATION;
    case TAPE_ABS: write_call(w, "fabs", s, out); return ATOM;
    default: write_call(w, tape_operation_name(s->operation), s, out); return ATOM;
    }
}
