// The file of a run that was cut short, from its journal.
#include "api/api_internal.h"
#include "api/call.h"

#include "base/utf8.h"
#include "record/journal.h"

static void write_text(const void *of, text *out) {
    const recovery_report *r = of;
    utf8_show(r->file, out);
    text_format(out, ": %llu rows, the last at t = %.15g; ", (unsigned long long)r->rows, r->t);
    utf8_show(r->outcome, out);
    text_char(out, '\n');
    if (r->torn)
        text_format(out, "%llu bytes behind them were being written, and are left out\n",
                    (unsigned long long)r->torn);
}

static void write_json(const void *of, json *out) {
    const recovery_report *r = of;
    json_open(out, NULL, '{');
    json_string(out, "file", r->file);
    json_integer(out, "rows", (int64_t)r->rows);
    json_number(out, "t", r->t);
    json_string(out, "outcome", r->outcome);
    json_integer(out, "torn", (int64_t)r->torn);
    json_close(out, '}');
}

static hamel_status recover(context *ctx, const char *file, hamel_format format, char **result) {
    const struct format *as = api_find_format(ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    text why = {0};
    recovery_report found;
    const bool good = journal_recover(ctx, file, &found, &why);
    if (!good) diag_error(ctx, (span){0}, NULL, "cannot recover `%s`: %s", file, text_string(&why));
    text_free(&why);
    if (!good) return HAMEL_NUMERICS;
    return api_finish_result(as, &(printable){&found, write_text, write_json, NULL}, result);
}

hamel_status hamel_recover(hamel_context *ctx, const char *file, hamel_format format,
                           char **result) {
    API_NEEDS(NULL, ctx);
    API_NEEDS(ctx, file);
    API_NEEDS(ctx, result);
    API_CALL(ctx, result, recover(ctx, file, format, result), "recovering `%s`", file);
}
