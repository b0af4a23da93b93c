// The values of runs in words.
#include "api/sweep_words.h"

#include "base/decimal.h"

static const char *number_of(context *ctx, double value) {
    text digits = {0};
    decimal_append(value, &digits);
    const char *words = arena_copy(&ctx->arena, text_string(&digits), digits.length);
    text_free(&digits);
    return words;
}

sweep_words sweep_words_of(const sweep_plan *plan, const double *value, const char *at,
                           context *ctx) {
    const uint32_t each = sweep_plan_values(plan);
    sweep_words v = {.set = arena_array(&ctx->arena, parse_override, each + 1), .at = at};
    for (uint32_t i = 0; i < each; i++) {
        const char *name = sweep_plan_name(plan, i), *digits = number_of(ctx, value[i]);
        if (sweep_plan_is_parameter(plan, i)) v.set[v.count++] = (parse_override){name, digits};
        else
            v.at = arena_format(&ctx->arena, "%s%s%s=%s", v.at ? v.at : "", v.at ? ", " : "", name,
                                digits);
    }
    return v;
}

hamel_status sweep_words_read(context *ctx, const model *like, const sweep_words *v, model **out) {
    return api_copy_model(ctx, like, v->count, v->set, out);
}
