// Where the rows of a run go: memory, a file by the ending of its name, or the caller.
#include "api/run_job.h"

#include "derive/formalism.h"
#include "record/sinks.h"

#include <string.h>

static run_terms terms_of(const run_job *j) {
    const model *m = j->m;
    arena *memory = &m->ctx->arena;
    const char **included = arena_array(memory, const char *, m->included_count);
    for (uint32_t i = 0; i < m->included_count; i++)
        included[i] = arena_copy(memory, m->included[i]->bytes, m->included[i]->length);
    return (run_terms){.version = HAMEL_VERSION,
                       .name = m->name,
                       .title = m->title ? m->title : "",
                       .text = arena_copy(memory, m->text->bytes, m->text->length),
                       .included_count = m->included_count,
                       .included = included,
                       .set = resume_override_words(m->ctx),
                       .at = j->asked->at ? j->asked->at : "",
                       .form = j->form->id,
                       .method = j->method->id,
                       .execution = j->f->how,
                       .precision = j->precision ? j->precision->id : "double",
                       .tolerance = j->r.asked.tolerance,
                       .interval = j->r.asked.interval,
                       .until = j->r.asked.end,
                       .step = j->r.asked.step,
                       .project = j->asked->project != 0};
}

static bool is_standard_output(const char *name) { return strcmp(name, "-") == 0; }

static const sink_kind *kind_of(const char *name) {
    return is_standard_output(name) ? sink_streaming() : sink_find(name);
}

hamel_status output_check(const run_job *j) {
    const char *name = j->asked->output;
    if (!name || kind_of(name)) return HAMEL_OK;
    arena *a = &j->m->ctx->arena;
    diag_error(j->m->ctx, (span){0},
               arena_format(a, "give a name that ends in %s, or - for CSV on standard output",
                            sink_suffixes(a, sink_writes)),
               "`%s` does not say in which format rows are to be written", name);
    return HAMEL_USAGE;
}

static sink *open_sink(const run_job *j, const char *name, text *why) {
    const run_terms terms = terms_of(j);
    const sink_request request = {.file = is_standard_output(name) ? NULL : name,
                                  .to = {j->asked->write, NULL, j->asked->data},
                                  .in = &j->r.state,
                                  .record = &j->r.record,
                                  .terms = &terms};
    const sink_kind *kind = kind_of(name);
    return j->asked->resume ? kind->reopen(&request, why) : kind->open(&request, why);
}

hamel_status output_open(run_job *j) {
    const char *name = j->asked->output;
    if (name) {
        text why = {0};
        j->r.record.out = open_sink(j, name, &why);
        if (!j->r.record.out)
            diag_error(j->m->ctx, (span){0}, NULL, "cannot write `%s`: %s", name,
                       text_string(&why));
        text_free(&why);
        if (!j->r.record.out) return HAMEL_USAGE;
    }
    if (j->rows) j->r.record.out = sink_tee(j->r.record.out, sink_table(j->system, j->rows));
    return HAMEL_OK;
}
