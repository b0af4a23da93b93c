// The head of a sweep's journal: what all who add to it have in common. Its fields, in their order:
//
//   runs of a chunk (8), runs (8), columns that are varied (4), collected (4), events (4),
//   settings (4) | version, model | name and value of each setting | name, 1 for a parameter
//   and unit of what is varied | name and unit of what is collected | names of the events |
//   SHA-256 of the values of some runs
//
// The first of them may differ: that of the journal counts.
#include "sweep/store_internal.h"

#include "base/bytes.h"
#include "base/sha256.h"
#include "record/stored.h"

// --- writing -------------------------------------------------------------------------------------

// The settings ought to say where the values come from; the values themselves cannot be mistaken.
static void put_fingerprint(const sweep_store *s, text *out) {
    enum { LOOKS = 4096 };
    const uint32_t count = sweep_plan_values(s->asked.plan);
    double *value = memory_array(double, count);
    unsigned char digest[SHA256_BYTES];
    sha256 h;
    sha256_begin(&h);
    for (uint64_t i = 0, looks = s->runs < LOOKS ? s->runs : LOOKS; i < looks; i++) {
        const uint64_t run =
            looks < s->runs ? s->runs / looks * i + s->runs % looks * i / looks : i;
        sweep_plan_find(s->asked.plan, run, value);
        for (uint32_t k = 0; k < count; k++) {
            unsigned char bytes[8];
            bytes_store(bytes, bytes_of_double(value[k]), 8);
            sha256_add(&h, bytes, sizeof bytes);
        }
    }
    sha256_end(&h, digest);
    text_append_n(out, (const char *)digest, sizeof digest);
    memory_free(value);
}

static void put_unit(text *out, const char *const *unit, uint32_t i) {
    bytes_put_string(out, unit && unit[i] ? unit[i] : "");
}

void store_head_put(const sweep_store *s, text *out) {
    const sweep_store_request *r = &s->asked;
    const uint32_t varied = sweep_plan_values(r->plan);
    bytes_put(out, s->chunk_runs, 8), bytes_put(out, s->runs, 8);
    bytes_put(out, varied, 4), bytes_put(out, r->collected_count, 4);
    bytes_put(out, r->event_count, 4), bytes_put(out, r->setting_count, 4);
    bytes_put_string(out, r->version), bytes_put_string(out, r->model);
    for (uint32_t i = 0; i < r->setting_count; i++) {
        bytes_put_string(out, r->setting[i].name);
        bytes_put_string(out, r->setting[i].value);
    }
    for (uint32_t i = 0; i < varied; i++) {
        bytes_put_string(out, sweep_plan_name(r->plan, i));
        bytes_put(out, sweep_plan_is_parameter(r->plan, i), 1);
        put_unit(out, r->value_unit, i);
    }
    for (uint32_t i = 0; i < r->collected_count; i++) {
        bytes_put_string(out, r->collected_name[i]);
        put_unit(out, r->collected_unit, i);
    }
    for (uint32_t i = 0; i < r->event_count; i++) bytes_put_string(out, r->event_name[i]);
    put_fingerprint(s, out);
}

// --- reading -------------------------------------------------------------------------------------

typedef struct {
    store_layout layout;
    uint32_t varied, settings;
    byte_reader rest; // from the version on
} head_reader;

static head_reader begin(const store_head *h) {
    byte_reader b = {h->bytes, h->bytes + h->length, false};
    head_reader r = {0};
    r.layout.chunk_runs = bytes_get(&b, 8), r.layout.runs = bytes_get(&b, 8);
    r.varied = (uint32_t)bytes_get(&b, 4), r.layout.collected_count = (uint32_t)bytes_get(&b, 4);
    r.layout.event_count = (uint32_t)bytes_get(&b, 4), r.settings = (uint32_t)bytes_get(&b, 4);
    r.rest = b;
    return r;
}

typedef struct {
    const char *letters;
    uint32_t length;
} words;

static words get_words(byte_reader *b) {
    const uint64_t length = bytes_get(b, 4);
    const unsigned char *letters = bytes_take(b, length);
    return letters ? (words){(const char *)letters, (uint32_t)length} : (words){"", 0};
}

bool store_head_read(const store_head *h, store_layout *out) {
    head_reader r = begin(h);
    byte_reader *b = &r.rest;
    get_words(b), get_words(b);
    // a bound on how often: what is not there is noticed at once
    for (uint32_t i = 0; i < r.settings && !b->short_of; i++) get_words(b), get_words(b);
    for (uint32_t i = 0; i < r.varied && !b->short_of; i++)
        get_words(b), bytes_get(b, 1), get_words(b);
    for (uint32_t i = 0; i < r.layout.collected_count && !b->short_of; i++)
        get_words(b), get_words(b);
    for (uint32_t i = 0; i < r.layout.event_count && !b->short_of; i++) get_words(b);
    bytes_take(b, SHA256_BYTES);
    *out = r.layout;
    return !b->short_of && b->at == b->end && out->runs && out->chunk_runs;
}

static bool is_same(words a, words b) {
    return a.length == b.length && memcmp(a.letters, b.letters, a.length) == 0;
}

// What a journal holds may be shown where it is short and made of letters.
static void show(text *why, words w) {
    if (stored_name_fault(w.letters, w.length)) text_append(why, "another");
    else text_format(why, "`%.*s`", (int)w.length, w.letters);
}

static bool differ_in_settings(head_reader *there, head_reader *own, text *why) {
    for (uint32_t i = 0; i < own->settings; i++) {
        const words name = get_words(&own->rest), value = get_words(&own->rest);
        const words name_there = get_words(&there->rest), value_there = get_words(&there->rest);
        if (!is_same(name, name_there)) {
            text_append(why, "its settings have other names");
            return true;
        }
        if (is_same(value, value_there)) continue;
        text_format(why, "its %.*s is ", (int)name.length, name.letters);
        show(why, value_there);
        text_append(why, ", and here it is "), show(why, value);
        return true;
    }
    return false;
}

bool store_head_differs(const store_head *there, const store_head *own, text *why) {
    enum { MAY_DIFFER = 8 };
    if (there->length == own->length && there->length > MAY_DIFFER &&
        memcmp(there->bytes + MAY_DIFFER, own->bytes + MAY_DIFFER, own->length - MAY_DIFFER) == 0)
        return false;
    head_reader a = begin(there), b = begin(own);
    const words version_there = get_words(&a.rest), version = get_words(&b.rest),
                model_there = get_words(&a.rest), model = get_words(&b.rest);
    if (!is_same(version_there, version)) {
        text_append(why, "it was begun by version "), show(why, version_there);
        text_append(why, " of hamel, and this is "), show(why, version);
    } else if (!is_same(model_there, model)) {
        text_append(why, "the text of its model is another");
    } else if (a.settings != b.settings) {
        text_append(why, "it has other settings");
    } else if (differ_in_settings(&a, &b, why)) {
        return true;
    } else if (a.layout.runs != b.layout.runs) {
        text_format(why, "it has %llu runs, and here there are %llu",
                    (unsigned long long)a.layout.runs, (unsigned long long)b.layout.runs);
    } else {
        text_append(why, "it varies or collects something else");
    }
    return true;
}
