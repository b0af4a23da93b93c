// Going on with an earlier run: the same model and the same terms, or an error.
#include "api/resume.h"

#include "api/api_internal.h"

#include <string.h>

static bool same_text(const source *s, const char *stored) {
    const char *end = memchr(s->bytes, 0, s->length); // a stored text ends there
    const size_t length = end ? (size_t)(end - s->bytes) : s->length;
    return strlen(stored) == length && memcmp(s->bytes, stored, length) == 0;
}

static const char *model_difference(const model *m, const run_terms *t) {
    if (!same_text(m->text, t->text)) return "the text of the model";
    if (m->included_count != t->included_count) return "what the model includes";
    for (uint32_t i = 0; i < t->included_count; i++)
        if (!same_text(m->included[i], t->included[i])) return "the text of an included file";
    return NULL;
}

static hamel_status differs(model *m, const char *file, const char *option, const char *was) {
    const char *help = *was ? arena_format(&m->ctx->arena, "it was made with `%s %s`", option, was)
                            : arena_format(&m->ctx->arena, "it was made without %s", option);
    diag_error(m->ctx, (span){0}, help, "the run in `%s` cannot go on with another %s", file,
               option);
    return HAMEL_USAGE;
}

static bool is_other(const char *asked, const char *was) {
    return asked && strcmp(asked, was) != 0;
}
static bool is_other_number(double asked, double was) { return asked > 0 && asked != was; }

static hamel_status compare(model *m, const hamel_run *a, const run_terms *t) {
    arena *memory = &m->ctx->arena;
    const char *file = a->resume, *what = model_difference(m, t);
    if (what) {
        diag_error(m->ctx, (span){0},
                   "the file holds the text it was made from, as the attribute `model`",
                   "the run in `%s` is of another model: %s differs", file, what);
        return HAMEL_MODEL;
    }
    if (a->output && strcmp(a->output, file) != 0) {
        diag_error(m->ctx, (span){0}, "leave out -o", "a run goes on in its own file, `%s`", file);
        return HAMEL_USAGE;
    }
    if (strcmp(api_override_words(m->ctx), t->set) != 0) return differs(m, file, "--set", t->set);
    if (is_other(a->at, t->at)) return differs(m, file, "--at", t->at);
    if (is_other(a->form, t->form)) return differs(m, file, "--form", t->form);
    if (is_other(a->method, t->method)) return differs(m, file, "--method", t->method);
    if (is_other_number(a->tolerance, t->tolerance))
        return differs(m, file, "--tol", arena_format(memory, "%.15g", t->tolerance));
    if (is_other_number(a->interval, t->interval))
        return differs(m, file, "--every", arena_format(memory, "%.15g", t->interval));
    if (is_other_number(a->step, t->step))
        return differs(m, file, "--step",
                       t->step > 0 ? arena_format(memory, "%.15g", t->step) : "");
    if (a->project && !t->project) return differs(m, file, "--project", "");
    return HAMEL_OK;
}

hamel_status resume_read(model *m, hamel_run *asked, run_past *past) {
    text why = {0};
    hamel_status status = HAMEL_USAGE;
    if (!sink_find(asked->resume))
        text_format(&why, "a run goes on in a file whose name ends in %s",
                    sink_suffixes(&m->ctx->arena, SINK_WRITES));
    else status = journal_past(m->ctx, asked->resume, past, &why);
    if (status)
        diag_error(m->ctx, (span){0}, NULL, "cannot go on with `%s`: %s", asked->resume,
                   text_string(&why));
    text_free(&why);
    if (status) return status;
    const run_terms *t = &past->terms;
    if (t->interval == RECORDING_SECTION) {
        diag_error(m->ctx, (span){0},
                   "`hamel section` with a larger --count or --until begins anew",
                   "the rows of `%s` are a section, and no run that could go on", asked->resume);
        return HAMEL_USAGE;
    }
    status = compare(m, asked, t);
    if (status) return status;
    if (strcmp(past->outcome, OUTCOME_EVENT) == 0) {
        const char *help =
            past->unpublished
                ? arena_format(&m->ctx->arena, "`hamel recover %s` makes the file", asked->resume)
                : "remove `stop` from the event, and start a new run";
        diag_error(m->ctx, (span){0}, help,
                   "the run in `%s` was stopped by an event at t = %.15g: there it ends",
                   asked->resume, past->t);
        return HAMEL_USAGE;
    }
    if (strcmp(t->precision, "double") != 0) {
        diag_error(m->ctx, (span){0}, NULL,
                   "the run in `%s` was made in precision `%s`, and the file holds its state in "
                   "double: it cannot go on from there",
                   asked->resume, t->precision);
        return HAMEL_USAGE;
    }
    asked->output = asked->resume;
    asked->at = *t->at ? t->at : NULL;
    asked->form = t->form, asked->method = t->method, asked->project = t->project;
    if (!asked->execute) asked->execute = t->execution;
    if (asked->until == 0) asked->until = t->until;
    return HAMEL_OK;
}
