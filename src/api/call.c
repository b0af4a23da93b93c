// Entering and leaving the library, also by a jump out of the middle of it.
#include "api/call.h"

#include "api/api_internal.h"
#include "base/c_locale.h"

#include <stdarg.h>
#include <stdio.h>

// What was wrong in earlier calls does not count in this one, unless a model was found to be.
static void session_forgive(context *ctx) {
    const session *s = session_of(ctx);
    for (uint32_t i = 0; i < s->models_count; i++)
        if (s->models[i]->is_wrong) return;
    ctx->error_count = 0, ctx->refused = false;
    ctx->first_of_call = ctx->diagnostic_count;
}

// A call was left while doing something: the context keeps its diagnostics and nothing else.
static void session_die(context *ctx, recovery_reason why, const char *doing) {
    session *s = session_of(ctx);
    context_die(ctx, why, doing);
    s->models = NULL, s->overrides = NULL; // both went with the ring of blocks
    s->models_count = s->models_capacity = s->overrides_count = s->overrides_capacity = 0;
    ctx->pool = NULL;
}

// Whether the context has another call on this thread, further out.
static bool is_nested(const call *c) {
    for (const recovery *r = c->at.outer; r; r = r->outer)
        if (r->blocks == c->at.blocks) return true;
    return false;
}

bool call_enter(call *c, context *ctx, char **result, const char *doing, ...) {
    if (result) *result = NULL;
    if (ctx && ctx->dead) return false;
    c->at.callers = c_locale_enter();
    c->ctx = ctx;
    c->result = result;
    c->jumped = false;
    c->own_reserve = NULL;
    memory_ring(&c->own);
    va_list args;
    va_start(args, doing);
    vsnprintf(c->doing, sizeof c->doing, doing, args);
    va_end(args);
    void **reserve = ctx ? &ctx->reserve : &c->own_reserve;
    if (!recovery_keep_reserve(reserve)) {
        if (ctx) session_die(ctx, RECOVERY_NO_MEMORY, c->doing);
        c_locale_leave(c->at.callers);
        return false;
    }
    recovery_enter(&c->at, ctx ? &ctx->blocks : &c->own, reserve, ctx ? &ctx->budget : NULL);
    if (ctx) guard_move_all(&ctx->open, &c->at.guards);
    if (ctx && !is_nested(c)) session_forgive(ctx);
    return true;
}

hamel_status call_leave(call *c, hamel_status status) {
    flint_memory_flush();
    if (c->result) memory_hand_over(*c->result);
    if (c->ctx && c->ctx->keeps_open) guard_move_all(&c->at.guards, &c->ctx->open);
    if (!c->ctx) memory_let_go(&c->own); // what outlives the call; its ring does not
    recovery_leave(&c->at);
    recovery_free_reserve(&c->own_reserve);
    c_locale_leave(c->at.callers);
    return status;
}

hamel_status call_exhausted(call *c) {
    flint_memory_repair();
    if (!c->jumped) {
        c->jumped = true;
        flint_memory_flush();
    } else { // FLINT asked for memory to give back its own: what it has stays
        memory_let_go(c->at.blocks);
    }
    recovery_leave(&c->at);
    recovery_free_reserve(&c->own_reserve);
    if (c->result) *c->result = NULL;
    if (!c->ctx) {
        memory_drop(&c->own);
    } else if (is_nested(c)) {
        // the callback that made this call cleans up, then the outer one ends in the same way
        for (recovery *r = c->at.outer; r; r = r->outer)
            if (r->blocks == c->at.blocks) r->due = true, r->why = c->at.why;
    } else {
        session_die(c->ctx, c->at.why, c->doing);
    }
    c_locale_leave(c->at.callers);
    return HAMEL_LIMIT;
}

static hamel_status say_null(context *ctx, const char *function, const char *argument) {
    diag_error(ctx, (span){0}, "hamel.h says which arguments may be left out", "`%s` of %s is NULL",
               argument, function);
    return HAMEL_USAGE;
}

hamel_status call_refuse_later(context *ctx, const void *const later[4], const char *argument) {
    for (int i = 0; i < 4; i++) {
        if (!later[i]) continue;
        diag_error(ctx, (span){0}, "begin with a struct whose members are all 0",
                   "`%s` asks for something of a later version of the library", argument);
        return HAMEL_USAGE;
    }
    return HAMEL_OK;
}

hamel_status call_refuse_null(context *ctx, const char *function, const char *argument) {
    if (!ctx) return HAMEL_USAGE;
    API_CALL(ctx, NULL, say_null(ctx, function, argument), "looking at arguments");
}
