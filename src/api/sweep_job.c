// What a sweep needs: its plan, an engine, a place for what is collected.
#include "api/sweep_job.h"

#include "base/decimal.h"
#include "model/contact_modes.h"
#include "simulate/choose.h"
#include "sweep/cuda.h"

#include <string.h>
#include <unistd.h>

// --- what is collected ---------------------------------------------------------------------------

// The same in a copy of the model, for a motion
static hamel_status read_collected(model *copy, void *data, const collected **out,
                                   uint32_t *count) {
    const sweep_job *j = data;
    const sweep_texts only = {.collect_count = j->texts.collect_count,
                              .collect = j->texts.collect}; // what varies may be a long file
    sweep_parts parts;
    const hamel_status status = parse_sweep(copy, &only, &parts);
    *out = parts.collected, *count = parts.collected_count;
    return status;
}

// A contact that is kept in a mode may not have the event that is asked for.
static hamel_status check_events(const sweep_job *j) {
    hamel_status status = HAMEL_OK;
    for (uint32_t i = 0; i < j->collected_count && !model_is_in_pieces(j->m); i++) {
        const collected *c = &j->collected[i];
        if (!c->event_name || c->event != UINT32_MAX) continue;
        diag_error(j->m->ctx, c->at, "leave out --set mode[..], and the run follows its modes",
                   "there is no `%s` in the mode that is named", c->event_name);
        status = HAMEL_MODEL;
    }
    return status;
}

static hamel_status make_plan(sweep_job *j) {
    const hamel_sweep *a = j->asked;
    j->texts = (sweep_texts){.vary_count = (uint32_t)a->vary_count,
                             .collect_count = (uint32_t)a->collect_count,
                             .vary = a->vary,
                             .collect = a->collect,
                             .samples = a->samples,
                             .seed = a->seed};
    j->plan = sweep_plan_create(j->m, &j->texts, &j->collected, &j->collected_count);
    if (!j->plan && !a->vary_count && !j->m->sweeps_count) return HAMEL_USAGE; // it said so
    if (!j->plan) return context_status(j->m->ctx);
    if (j->collected_count) return check_events(j);
    diag_error(j->m->ctx, (span){0},
               "add a statement `collect`, or --collect \"top = max(E), end = final(E)\"",
               "nothing is collected of the runs");
    return HAMEL_USAGE;
}

// --- workers -------------------------------------------------------------------------------------

static uint32_t processors(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

// A chunk is what is lost by a kill, and what a worker takes at a time: it depends on the sweep
// alone, so that one of few threads can be taken up by one of many. Runs in pieces take
// milliseconds each.
static uint64_t chunk_of(uint64_t runs, bool in_pieces, bool on_gpu) {
    enum { CHUNKS = 256, MOST = 4096, LANES = 64 };
    if (on_gpu) return runs < 1 ? 1 : runs > CUDA_CHUNK ? CUDA_CHUNK : runs;
    uint64_t each = (runs + CHUNKS - 1) / CHUNKS;
    if (each > LANES) each = (each + LANES - 1) / LANES * LANES;
    if (each > MOST) each = MOST;
    if (in_pieces && each > LANES) each = LANES;
    return each < 1 ? 1 : each;
}

uint64_t sweep_job_chunks(const sweep_job *j) {
    return (sweep_plan_runs(j->plan) + j->chunk_runs - 1) / j->chunk_runs;
}

static bool is_on_gpu(const sweep_job *j) {
    return j->asked->device && strcmp(j->asked->device, "cuda") == 0;
}

// Many runs go through the lanes of the processor where the system has code for them. It depends on
// the sweep alone, so that one that is taken up again, or divided, goes on as it began.
static hamel_status take_lanes(sweep_job *j) {
    enum { MANY = 4096 };
    const char *how = j->how.run.execute, *why = NULL;
    const hamel_motion *first = sweep_worker_motion(j->scalar->worker[0]);
    if (first->of_pieces || j->end_varies || sweep_plan_runs(j->plan) < MANY ||
        strcmp(how, "interpreted") == 0 || !(first->j->method->tableau || first->j->method->series))
        return HAMEL_OK;
    j->system = arena_new(&j->m->ctx->arena, sweep_system);
    const hamel_status status = sweep_scalar_system(j->scalar, j->system);
    if (status) return status;
    const lanes_asked asked = {.system = j->system,
                               .shifts = first->j->shifts,
                               .scalar = &j->scalar->base,
                               .worker_count = j->scalar->base.worker_count,
                               .interrupted = j->scalar->base.interrupted};
    sweep_engine *lanes = sweep_lanes_create(j->m->ctx, &asked, &why);
    if (lanes) j->engine = lanes;
    return HAMEL_OK;
}

static hamel_status make_engine(sweep_job *j) {
    enum { MOST_THREADS = 1024 };
    j->how = (sweep_setting_up){
        .m = j->m, .run = *j->run, .plan = j->plan, .collects = read_collected, .data = j};
    if (!j->how.run.execute) j->how.run.execute = "auto";
    j->how.run.interrupted = j->ends ? j->ends : &j->stop;
    uint64_t threads = j->asked->threads ? j->asked->threads : processors();
    if (threads > sweep_job_chunks(j) && !j->is_divided) threads = sweep_job_chunks(j);
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    if (threads < 1) threads = 1;
    j->how.memory = j->m->ctx->budget.memory / threads;
    const hamel_status status = sweep_scalar_create(&j->how, (uint32_t)threads, true, &j->scalar);
    if (status) return status;
    j->engine = &j->scalar->base;
    j->end = sweep_worker_end(j->scalar->worker[0]);
    j->end_varies = sweep_worker_end_varies(j->scalar->worker[0]);
    return is_on_gpu(j) ? sweep_job_take_gpu(j) : take_lanes(j);
}

// --- the store -----------------------------------------------------------------------------------

static void name_events(sweep_job *j) {
    const model *m = j->m;
    const char **name = arena_array(&m->ctx->arena, const char *, m->events_count + 1);
    for (uint32_t i = 0; i < m->events_count; i++) name[i] = m->events[i].name;
    j->event = name;
}

static const char *model_text(const model *m) {
    text out = {0};
    text_append_n(&out, m->text->bytes, m->text->length);
    for (uint32_t i = 0; i < m->included_count; i++)
        text_append_n(&out, m->included[i]->bytes, m->included[i]->length);
    const char *kept = arena_copy(&m->ctx->arena, text_string(&out), out.length);
    text_free(&out);
    return kept;
}

static const char *number_words(const model *m, double value) {
    return arena_format(&m->ctx->arena, "%.17g", value);
}

const char *sweep_job_end_words(const sweep_job *j) {
    text out = {0};
    if (j->end_varies) api_write_expression(j->m, j->m->simulate.to, &out);
    else decimal_append(j->end, &out);
    const char *words = arena_copy(&j->m->ctx->arena, text_string(&out), out.length);
    text_free(&out);
    return words;
}

// The texts of options, one behind the other
static const char *joined(const model *m, uint32_t count, const char *const *texts) {
    const char *all = "";
    for (uint32_t i = 0; i < count; i++)
        all = arena_format(&m->ctx->arena, "%s%s%s", all, i ? "; " : "", texts[i]);
    return all;
}

const hamel_motion *sweep_job_motion(const sweep_job *j) {
    return sweep_worker_motion(j->scalar->worker[0]);
}

const model *sweep_job_modes(const sweep_job *j) {
    return j->scalar && sweep_job_motion(j)->of_pieces ? NULL : j->m;
}

static hamel_status open_store(sweep_job *j) {
    enum { SETTINGS = 12 };
    const model *m = j->m;
    arena *a = &m->ctx->arena;
    const hamel_motion *w = sweep_job_motion(j);
    const char **name = arena_array(a, const char *, j->collected_count),
               **unit = arena_array(a, const char *, j->collected_count),
               **of_value = arena_array(a, const char *, sweep_plan_values(j->plan));
    for (uint32_t i = 0; i < j->collected_count; i++)
        name[i] = j->collected[i].name, unit[i] = j->collected[i].unit;
    for (uint32_t i = 0; i < sweep_plan_values(j->plan); i++)
        of_value[i] = sweep_plan_unit(j->plan, i);
    text words = {0};
    sweep_plan_words(j->plan, &words);
    sweep_setting *setting = arena_array(a, sweep_setting, SETTINGS);
    uint32_t count = 0;
    setting[count++] = (sweep_setting){"sweep", arena_copy(a, text_string(&words), words.length)};
    text_free(&words);
    setting[count++] =
        (sweep_setting){"collect", joined(m, j->texts.collect_count, j->texts.collect)};
    setting[count++] = (sweep_setting){"set", api_override_words(m->ctx)};
    setting[count++] = (sweep_setting){"at", j->run->at ? j->run->at : ""};
    setting[count++] = (sweep_setting){"project", j->run->project ? "yes" : "no"};
    setting[count++] = (sweep_setting){"form", w->j->form->id};
    setting[count++] = (sweep_setting){"method", w->j->method->id};
    setting[count++] = (sweep_setting){"tolerance", number_words(m, w->j->r.asked.tolerance)};
    setting[count++] =
        (sweep_setting){"until", j->end_varies ? sweep_job_end_words(j) : number_words(m, j->end)};
    setting[count++] = (sweep_setting){"step", number_words(m, w->j->r.asked.step)};
    setting[count++] = (sweep_setting){"arithmetic", j->engine->arithmetic};
    if (is_on_gpu(j)) setting[count++] = (sweep_setting){"device", j->asked->device};
    const char *file = j->asked->output;
    const sweep_store_request asked = {.path = file && strcmp(file, "-") != 0 ? file : NULL,
                                       .plan = j->plan,
                                       .value_unit = of_value,
                                       .collected_count = j->collected_count,
                                       .collected_name = name,
                                       .collected_unit = unit,
                                       .event_count = m->events_count,
                                       .event_name = j->event,
                                       .chunk_runs = j->chunk_runs,
                                       .version = HAMEL_VERSION,
                                       .model = model_text(m),
                                       .setting_count = count,
                                       .setting = setting,
                                       .resume = j->asked->resume != 0};
    const hamel_status status = sweep_store_open(m->ctx, &asked, &j->store);
    // as the journal that it goes on with has them
    if (!status && sweep_store_chunks(j->store)) j->chunk_runs = sweep_store_count(j->store, 0);
    return status;
}

// --- the job -------------------------------------------------------------------------------------

static bool has_all(size_t count, const char *const *texts) {
    for (size_t i = 0; i < count; i++)
        if (!texts || !texts[i]) return false;
    return true;
}

static hamel_status check_request(const sweep_job *j) {
    const hamel_sweep *a = j->asked;
    if (!has_all(a->vary_count, a->vary) || !has_all(a->collect_count, a->collect)) {
        diag_error(j->m->ctx, (span){0}, NULL, "what is varied or collected is NULL");
        return HAMEL_USAGE;
    }
    const char *file = j->asked->output,
               *wrong = j->asked->resume ? "there is no journal to go on with"
                        : j->asked->keep ? "there is no place for runs that are kept"
                                         : NULL;
    if (!wrong || (file && *file && strcmp(file, "-") != 0)) return HAMEL_OK;
    diag_error(j->m->ctx, (span){0}, "name the file of the sweep with -o", "without a file %s",
               wrong);
    return HAMEL_USAGE;
}

static hamel_status check_device(const sweep_job *j) {
    const char *device = j->asked->device;
    if (!device || strcmp(device, "cpu") == 0 || strcmp(device, "cuda") == 0) return HAMEL_OK;
    diag_error(j->m->ctx, (span){0}, "known devices: cpu, cuda", "there is no device `%s`", device);
    return HAMEL_USAGE;
}

hamel_status sweep_job_plan(sweep_job *j) {
    hamel_status status = check_request(j);
    if (!status) status = check_device(j);
    if (!status) status = make_plan(j);
    name_events(j);
    return status ? status : sweep_job_check_figure(j);
}

hamel_status sweep_job_prepare(sweep_job *j) {
    hamel_status status = sweep_job_plan(j);
    if (status) return status;
    j->chunk_runs = chunk_of(sweep_plan_runs(j->plan), model_is_in_pieces(j->m), is_on_gpu(j));
    if (j->asked->output) status = api_refuse_own_rows(j->m->ctx, j->asked->output);
    if (!status) status = sweep_job_check_kept(j);
    if (!status) status = make_engine(j);
    return status || j->computes_only ? status : open_store(j);
}

void sweep_job_close(sweep_job *j) {
    if (j->store) sweep_store_close(j->store);
    sweep_engine *scalar = j->scalar ? &j->scalar->base : NULL;
    if (j->engine && j->engine != scalar) j->engine->release(j->engine);
    if (scalar) scalar->release(scalar);
    gpu_start_free(&j->start);
    text_free(&j->why);
}
