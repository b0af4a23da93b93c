// Equations between scalars or vectors, as constraints and claims state them.
#include "parse/elaborate.h"

static const char *const letters[] = {"x", "y", "z"};

int elab_equation(elaborator *el, const item *it, const binding *b, expr left[3], expr right[3]) {
    const value l = elab_evaluate(el, it->value, b), r = elab_evaluate(el, it->right, b);
    if (l.type == VALUE_VOID || r.type == VALUE_VOID) return 0;
    if (l.type == VALUE_ROTATION) {
        diag_error(el->ctx, it->value->at, NULL, "expected a scalar or a vector, found a rotation");
        return 0;
    }
    if (l.type != r.type) {
        const char *help =
            r.type == VALUE_SCALAR && r.scalar == EXPR_ZERO ? "write `(0, 0, 0)`" : NULL;
        diag_error(el->ctx, it->right->at, help, "expected %s as on the left, found %s",
                   value_noun(l.type), value_noun(r.type));
        return 0;
    }
    const int count = l.type == VALUE_VECTOR ? 3 : 1;
    for (int i = 0; i < count; i++) {
        left[i] = count == 3 ? l.vector.at[i] : l.scalar;
        right[i] = count == 3 ? r.vector.at[i] : r.scalar;
    }
    return count;
}

typed_form elab_typed(const item *it, const binding *b, int count, int i) {
    return (typed_form){it, b, count == 1 ? -1 : i};
}

const char *elab_component_name(elaborator *el, const char *name, int count, int i) {
    return count == 1 ? name : arena_format(&el->ctx->arena, "%s.%s", name, letters[i]);
}
