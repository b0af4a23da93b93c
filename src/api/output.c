// Where the rows of a run go: memory, a file by the ending of its name, or the caller.
#include "api/run_job.h"

#include "derive/formalism.h"
#include "record/sinks.h"

#include <errno.h>
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
                       .set = override_words(m->ctx),
                       .at = j->asked->at ? j->asked->at : "",
                       .form = j->form->id,
                       .method = j->method->id,
                       .execution = j->f->how,
                       .precision = j->precision ? j->precision->id : "double",
                       .tolerance = j->r.tolerance,
                       .interval = j->r.interval,
                       .until = j->r.end,
                       .step = j->r.step,
                       .project = j->asked->project != 0};
}

static sink *open_csv(const run_job *j, const char *name, text *why) {
    byte_writer to = {j->asked->write, NULL, j->asked->data};
    if (strcmp(name, "-") != 0 && !open_file_writer(name, &to)) {
        text_append(why, strerror(errno));
        return NULL;
    }
    sink *s = sink_csv(j->system, j->r.extended, to);
    if (!s) text_append(why, strerror(errno));
    return s;
}

static sink *open_npz(const run_job *j, const char *name, text *why) {
    return sink_npz(j->system, name, why);
}

static sink *open_hdf5(const run_job *j, const char *name, text *why) {
    const run_terms terms = terms_of(j);
    return j->asked->resume ? sink_hdf5_again(&j->r, &terms, name, why)
                            : sink_hdf5(&j->r, &terms, name, why);
}

static const struct output_kind {
    const char *ending;
    sink *(*open)(const run_job *j, const char *name, text *why);
} output_kinds[] = {{".csv", open_csv}, {".h5", open_hdf5}, {".npz", open_npz}};

static const struct output_kind *output_kind(const char *name) {
    for (size_t i = 0; i < sizeof output_kinds / sizeof *output_kinds; i++)
        if (string_ends_in(name, output_kinds[i].ending)) return &output_kinds[i];
    return strcmp(name, "-") == 0 ? &output_kinds[0] : NULL;
}

hamel_status output_check(const run_job *j) {
    const char *name = j->asked->output;
    if (!name || output_kind(name)) return HAMEL_OK;
    diag_error(j->m->ctx, (span){0},
               "give a name that ends in .csv, .h5 or .npz, or - for CSV on standard output",
               "`%s` does not say in which format rows are to be written", name);
    return HAMEL_USAGE;
}

hamel_status output_open(run_job *j) {
    const char *name = j->asked->output;
    if (name) {
        text why = {0};
        j->r.out = output_kind(name)->open(j, name, &why);
        if (!j->r.out)
            diag_error(j->m->ctx, (span){0}, NULL, "cannot write `%s`: %s", name,
                       text_string(&why));
        text_free(&why);
        if (!j->r.out) return HAMEL_USAGE;
    }
    if (j->rows) j->r.out = sink_tee(j->r.out, sink_table(j->system, j->rows));
    return HAMEL_OK;
}
