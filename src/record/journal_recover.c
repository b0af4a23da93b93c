// What the journal of an earlier run holds: to go on from, or to be made its file.
#include "record/journal.h"

#include "base/descriptor.h"
#include "record/output_file.h"

#include <errno.h>
#include <sys/stat.h>

static hamel_status refuse(text *why, const char *words) {
    text_append(why, words);
    return HAMEL_USAGE;
}

static hamel_status read_record(context *ctx, int file, recording_trust how, recording *out,
                                text *why) {
    if (recording_read(ctx, file, how, out, why)) return HAMEL_OK;
    return out->unreadable ? HAMEL_NUMERICS : HAMEL_USAGE;
}

// From the file itself, without its rows
static hamel_status recall_past(context *ctx, const char *file, int held, recording *out,
                                text *why) {
    const sink_kind *kind = sink_find(file);
    struct stat s;
    const bool is_there = stat(file, &s) == 0;
    if (!is_there || held < 0) {
        text_append(why, strerror(errno));
        return is_there ? HAMEL_NUMERICS : context_status_of(errno);
    }
    if (!kind->recall)
        return refuse(why, "it holds rows only, and no journal of an unfinished run is beside it");
    const byte_writer to_memory = {descriptor_take, NULL, &held};
    const hamel_status status = kind->recall(ctx, file, RECALL_NO_ROWS, &to_memory, why);
    return status ? status : read_record(ctx, held, RECORDING_ROWS_ELSEWHERE, out, why);
}

hamel_status journal_past(context *ctx, const char *file, run_past *out, text *why) {
    output_file f = output_file_find(file);
    int held = -1;
    guard open;
    recording past = {.file = -1};
    const bool in_journal = output_file_has_journal(&f);
    hamel_status status;
    if (in_journal) {
        held = output_file_lock(&f, false, why);
        descriptor_guard(&open, held);
        status = held < 0 ? HAMEL_NUMERICS : read_record(ctx, held, RECORDING_WHOLE, &past, why);
    } else {
        held = descriptor_in_memory();
        descriptor_guard(&open, held);
        status = recall_past(ctx, file, held, &past, why);
    }
    if (!status && !past.has_position)
        status = refuse(why, "no state to go on from was saved in it");
    *out = (run_past){past.terms, past.position.t, past.outcome, in_journal};
    descriptor_close(&open, held);
    recording_free(&past);
    output_file_free(&f);
    return status;
}

static bool recover_locked(context *ctx, const char *target, const output_file *f, int file,
                           recovery_report *out, text *why) {
    recording all;
    struct stat s;
    bool good = recording_read(ctx, file, RECORDING_WHOLE, &all, why);
    if (good && !all.rows) {
        text_append(why, "it holds no row");
        good = false;
    }
    double *last = memory_array(double, all.column_count + 1);
    good = good && recording_rows(&all, all.rows - 1, 1, last);
    good =
        good && fstat(file, &s) == 0 && output_file_publish(f, sink_find(target), &all, false, why);
    if (good)
        *out = (recovery_report){target, all.rows, (uint64_t)s.st_size - all.length, last[0],
                                 all.outcome};
    else if (!why->length) text_append(why, strerror(errno));
    memory_free(last);
    recording_free(&all);
    return good;
}

bool journal_recover(context *ctx, const char *name, recovery_report *out, text *why) {
    size_t length = strlen(name);
    if (text_ends_in(name, JOURNAL_SUFFIX)) length -= sizeof JOURNAL_SUFFIX - 1;
    const char *target = arena_copy(&ctx->arena, name, length);
    if (!sink_find(target)) {
        text_format(why, "its name does not end in %s", sink_suffixes(&ctx->arena, SINK_WRITES));
        return false;
    }
    output_file f = output_file_find(target);
    int held = -1;
    guard open;
    if (!output_file_has_journal(&f)) text_format(why, "there is no `%s`", f.journal);
    else held = output_file_lock(&f, false, why);
    descriptor_guard(&open, held);
    const bool good = held >= 0 && recover_locked(ctx, target, &f, held, out, why);
    descriptor_close(&open, held);
    output_file_free(&f);
    return good;
}
