// Choosing how to show equations: solved and simplified while that stays short, with named common
// subexpressions where it does not.
#include "print/presentation.h"

#include "normal/normal.h"
#include "print/expression.h"

enum {
    // up to here simplification is tried: beyond, the result would be named anyway
    SOLVED_LINE = 240,  // longest solved equation, in expr_weight() units (about characters)
    WRITTEN_OUT = 6000, // longest system shown without names
    NAMED_PIECE = 300,  // longest expression between names
    LARGEST_TREE = 30000,
    SPLIT_UNKNOWNS = 12, // up to here equations are sorted into matrix * unknowns = rest
};

static void add_line(presentation *out, line_kind kind, expr left, expr right, bool solved) {
    list_push(out, lines, (line){kind, left, right, solved});
}

static expr simplify(const presentation *out, expr e) {
    normal_budget budget = normal_budget_default();
    budget.memory = out->memory;
    return normal_simplify(out->eq->system->pool, e, &budget);
}

// --- equations of motion -------------------------------------------------------------------------

// The equations of motion and the accelerations among the unknowns (multipliers stay symbols).
static uint32_t motion_part(const equations *eq, expr *residual, expr *unknown) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < eq->unknown_count; i++) {
        if (eq->residual[i].kind == RESIDUAL_CONSTRAINT) continue;
        unknown[n] = eq->unknown[n];
        residual[n++] = eq->residual[i].value;
    }
    return n;
}

static bool show_solved(presentation *out, uint32_t n, const expr *residual, const expr *unknown) {
    pool *p = out->eq->system->pool;
    normal_budget budget = normal_budget_default();
    budget.memory = out->memory;
    budget.longest = SOLVED_LINE + 1;
    expr *solution = memory_array(expr, n);
    bool short_enough = normal_solve(p, n, residual, unknown, &budget, solution);
    for (uint32_t i = 0; i < n && short_enough; i++)
        short_enough = expr_weight(p, solution[i]) <= SOLVED_LINE;
    for (uint32_t i = 0; i < n && short_enough; i++)
        add_line(out, LINE_MOTION, unknown[i], solution[i], true);
    memory_free(solution);
    return short_enough;
}

// matrix * unknowns = rest, entry by entry
static void show_sorted(presentation *out, uint32_t n, const expr *residual, const expr *unknown,
                        bool simplified) {
    pool *p = out->eq->system->pool;
    expr *row = memory_array(expr, n), *zero = memory_zeros(expr, n);
    for (uint32_t i = 0; i < n; i++) {
        expr_gradient(p, residual[i], n, unknown, row);
        expr rest = expr_replace(p, residual[i], n, unknown, zero);
        for (uint32_t j = 0; j < n && simplified; j++) row[j] = simplify(out, row[j]);
        if (simplified) rest = simplify(out, rest);
        add_line(out, LINE_MOTION, expr_dot(p, n, row, unknown), expr_neg(p, rest), false);
    }
    memory_free(row);
    memory_free(zero);
}

static uint32_t total_weight(const presentation *out) {
    pool *p = out->eq->system->pool;
    uint64_t total = 0;
    for (uint32_t i = 0; i < out->lines_count; i++)
        total += (uint64_t)expr_weight(p, out->lines[i].left) + expr_weight(p, out->lines[i].right);
    return total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
}

static void show_motion(presentation *out, bool raw) {
    const equations *eq = out->eq;
    const uint32_t most = eq->unknown_count ? eq->unknown_count : 1;
    expr *residual = memory_array(expr, most), *unknown = memory_array(expr, most);
    const uint32_t n = motion_part(eq, residual, unknown);
    out->solved = !raw && show_solved(out, n, residual, unknown);
    if (!out->solved && n <= SPLIT_UNKNOWNS) {
        show_sorted(out, n, residual, unknown, !raw);
    } else if (!out->solved) {
        for (uint32_t i = 0; i < n; i++) add_line(out, LINE_MOTION, residual[i], EXPR_ZERO, false);
    }
    memory_free(residual);
    memory_free(unknown);
}

// --- velocities and constraints ------------------------------------------------------------------

// Do the equations speak of quasi-velocities at all? Those with multipliers are in q''.
static bool speaks_of_quasi_velocities(const equations *eq) {
    const mechanics *s = eq->system;
    for (uint32_t i = 0; i < eq->unknown_count; i++)
        for (uint32_t j = 0; j < s->m; j++)
            if (eq->unknown[i] == expr_symbol_derivative(s->pool, s->eta[j])) return true;
    return false;
}

// Does constraint nu, of order 2, stand among the equations of motion?
static bool is_among_residuals(const equations *eq, uint32_t nu) {
    for (uint32_t i = 0; i < eq->unknown_count; i++)
        if (eq->residual[i].kind == RESIDUAL_ACCELERATION && eq->residual[i].source == nu)
            return true;
    return false;
}

static void show_velocities(presentation *out, bool raw) {
    const equations *eq = out->eq;
    const mechanics *s = eq->system;
    for (uint32_t i = 0; i < s->n && eq->explicit_velocities; i++) {
        if (eq->velocity[i] == s->qd[i]) continue;
        add_line(out, LINE_VELOCITY, s->qd[i],
                 raw ? eq->velocity[i] : simplify(out, eq->velocity[i]), true);
    }
    // not solved for q': what eta means
    for (uint32_t i = 0; i < s->m && !eq->explicit_velocities && s->has_quasi; i++)
        if (speaks_of_quasi_velocities(eq))
            add_line(out, LINE_VELOCITY, s->eta[i], s->psi[i], true);
    for (uint32_t i = 0; i < s->k + s->h; i++) { // what the lines above do not say
        const constraint *c = &s->model->constraints[s->constraint[i]];
        if ((eq->explicit_velocities && c->order == 1) || is_among_residuals(eq, i)) continue;
        add_line(out, LINE_CONSTRAINT, raw ? c->phi : simplify(out, c->phi), EXPR_ZERO, false);
    }
}

// --- names ---------------------------------------------------------------------------------------

// A letter that no symbol of the model uses with a number behind it.
static const char *free_prefix(const pool *p) {
    static const char *const letters[] = {"w", "u", "k", "s", "c", "h"};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        bool taken = false;
        for (uint32_t j = 0; j < pool_symbol_count(p) && !taken; j++) {
            const char *name = pool_symbol(p, j)->name;
            taken = name[0] == letters[i][0] && name[1] >= '0' && name[1] <= '9';
        }
        if (!taken) return letters[i];
    }
    return "sub_";
}

// Nodes worth a name: used more than once and not trivial, or so long that a line would not be
// readable.
static void name_subexpressions(presentation *out) {
    pool *p = out->eq->system->pool;
    uint32_t roots = 0, count;
    expr *root = memory_array(expr, 2 * out->lines_count + out->definitions_count + 1);
    for (uint32_t i = 0; i < out->lines_count; i++) {
        root[roots++] = out->lines[i].left;
        root[roots++] = out->lines[i].right;
    }
    for (uint32_t i = 0; i < out->definitions_count; i++) root[roots++] = out->definitions[i].value;
    expr *nodes = expr_reachable(p, roots, root, &count);
    const expr last = count ? nodes[count - 1] : 0;
    uint32_t *uses = memory_zeros(uint32_t, (size_t)last + 1),
             *length = memory_zeros(uint32_t, (size_t)last + 1);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < expr_operand_count(p, nodes[i]); j++)
            uses[expr_operand(p, nodes[i], j)]++;
    out->name_of = memory_array(expr, count);
    for (uint32_t i = 0; i < count; i++) {
        const expr e = nodes[i];
        uint32_t size = 1, parts = 0; // printed length with names in place
        for (uint32_t j = 0; j < expr_operand_count(p, e); j++) {
            const expr operand = expr_operand(p, e, j);
            size += length[operand] + 1;
            if (!expr_is_number(p, operand)) parts++;
        }
        const bool worth = (uses[e] > 1 && (parts > 1 || size > 12)) || size > NAMED_PIECE;
        length[e] = worth ? 3 : size;
        if (worth && expr_operand_count(p, e)) out->name_of[out->name_count++] = e;
    }
    out->names = memory_array(char *, out->name_count);
    const char *prefix = free_prefix(p);
    for (uint32_t i = 0; i < out->name_count; i++)
        out->names[i] = arena_format(&out->eq->system->model->ctx->arena, "%s%u", prefix, i + 1);
    out->named = true;
    memory_free(root);
    memory_free(nodes);
    memory_free(uses);
    memory_free(length);
}

// What the formalism is known for, simplified where that is worth trying.
static void show_definitions(presentation *out, bool raw) {
    const equations *eq = out->eq;
    for (uint32_t i = 0; i < eq->definitions_count; i++) {
        definition d = eq->definitions[i];
        if (!raw && expr_weight(eq->system->pool, d.value) <= WRITTEN_OUT)
            d.value = simplify(out, d.value);
        if (d.value != EXPR_ZERO && !d.silent) list_push(out, definitions, d);
    }
}

static bool is_large(const equations *eq) {
    const mechanics *s = eq->system;
    uint64_t total = 0;
    for (uint32_t i = 0; i < eq->unknown_count && total <= LARGEST_TREE; i++)
        total += expr_weight(s->pool, eq->residual[i].value);
    for (uint32_t i = 0; i < s->n && total <= LARGEST_TREE; i++)
        total += expr_weight(s->pool, eq->velocity[i]);
    return total > LARGEST_TREE;
}

presentation presentation_create(const equations *eq, bool raw) {
    presentation out = {.eq = eq, .asked = raw, .memory = normal_memory_create()};
    raw = raw || is_large(eq);
    show_motion(&out, raw);
    show_velocities(&out, raw);
    // what did not become simpler is shown as it was derived
    if (!raw && total_weight(&out) > WRITTEN_OUT) {
        raw = true;
        out.lines_count = 0;
        show_motion(&out, raw);
        show_velocities(&out, raw);
    }
    show_definitions(&out, raw);
    if (raw) name_subexpressions(&out);
    normal_memory_free(out.memory);
    out.memory = NULL;
    out.printer = printer_create(eq->system->pool, out.name_of, (const char *const *)out.names,
                                 out.name_count);
    return out;
}

uint32_t presentation_mark_names(const presentation *p, uint32_t count, const expr *e, bool *uses) {
    uint32_t nodes, used = 0;
    expr *node = expr_reachable(p->eq->system->pool, count, e, &nodes);
    for (uint32_t i = 0, j = 0; i < p->name_count && j < nodes; i++) { // both in index order
        while (j < nodes && node[j] < p->name_of[i]) j++;
        if (j == nodes || node[j] != p->name_of[i]) continue;
        uses[i] = true;
        used++;
    }
    memory_free(node);
    return used;
}

void presentation_free(presentation *p) {
    printer_free(p->printer);
    memory_free(p->definitions);
    memory_free(p->lines);
    memory_free(p->name_of);
    memory_free(p->names);
}
