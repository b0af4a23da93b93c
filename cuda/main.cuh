// --- the program -------------------------------------------------------------------------------------

static const char hamel_usage[] =
    "usage: %s [--method tsit5|dop853|taylor] [--tolerance X] [--until T] [--count N] [--seed S]\n"
    "  [--vary NAME=A..B:N | NAME=A..B | NAME=A+-S].. [--chunk N] [--repeat N]\n"
    "  [-o FILE.csv|FILE]\n"
    "  --vary     a grid of N values, a uniform distribution, a normal one; of an initial value or a parameter\n"
    "  --count    samples of what is drawn; of a sweep that the model states, the first N runs\n"
    "  -o         CSV, or doubles row by row: what is varied, what is collected, how it ended, t\n";

enum { HAMEL_MOST_VARIED = 16 };

typedef struct {
    int method, repeat;
    double tolerance, until;
    uint64_t count, seed, chunk;
    const char *file;
    sweep_axis axis[HAMEL_MOST_VARIED];
    int target[HAMEL_MOST_VALUES + HAMEL_MOST_VARIED], varied;
    const char *varied_name[HAMEL_MOST_VALUES + HAMEL_MOST_VARIED];
    sweep_layout layout;
} hamel_options;

static int hamel_fail(const char *what, const char *more) {
    fprintf(stderr, "%s: %s%s\n", hamel_name, what, more);
    return 2;
}

static int hamel_find(const char *name, size_t length) {
    if (!length) return -1;
    for (int i = 0; i < hamel_given_count; i++)
        if (strlen(hamel_given_name[i]) == length && !strncmp(hamel_given_name[i], name, length))
            return hamel_n + hamel_np + i;
    for (int i = 0; i < hamel_n; i++)
        if (strlen(hamel_state_name[i]) == length && !strncmp(hamel_state_name[i], name, length))
            return i;
    for (int i = 0; i < hamel_np; i++)
        if (strlen(hamel_parameter_name[i]) == length &&
            !strncmp(hamel_parameter_name[i], name, length))
            return hamel_n + i;
    return -1;
}

// All of a text as a number
static bool hamel_read_number(const char *words, size_t length, double *out) {
    char copy[64], *end = NULL;
    if (!length || length >= sizeof copy) return false;
    memcpy(copy, words, length), copy[length] = '\0';
    *out = strtod(copy, &end);
    return end == copy + length && isfinite(*out);
}

// NAME=A..B:N, NAME=A..B, NAME=A+-S
static bool hamel_read_vary(hamel_options *o, const char *words) {
    const char *equals = strchr(words, '=');
    if (!equals || o->varied == HAMEL_MOST_VARIED) return false;
    const char *dots = strstr(equals, ".."), *middle = dots ? dots : strstr(equals, "+-"),
               *colon = dots ? strchr(dots, ':') : NULL, *end = colon ? colon : words + strlen(words);
    const int target = hamel_find(words, (size_t)(equals - words));
    sweep_axis *axis = &o->axis[o->varied];
    double first, second, count = 1;
    for (int i = 0; i < o->varied; i++)
        if (o->target[i] == target) return false; // twice
    if (target < 0 || !middle || !hamel_read_number(equals + 1, (size_t)(middle - equals - 1), &first) ||
        !hamel_read_number(middle + 2, (size_t)(end - middle - 2), &second))
        return false;
    if (colon && (!hamel_read_number(colon + 1, strlen(colon + 1), &count) || !(count >= 1) ||
                  count > 1e15 || count != floor(count)))
        return false;
    memset(axis, 0, sizeof *axis);
    axis->kind = colon ? AXIS_GRID : dots ? AXIS_UNIFORM : AXIS_NORMAL;
    axis->target_count = 1, axis->count = (uint64_t)count, axis->stride = 1;
    axis->first = first, axis->second = second;
    axis->from = first, axis->to = second, axis->scale = 1;
    o->target[o->varied] = target;
    o->varied_name[o->varied] = target < hamel_n              ? hamel_state_name[target]
                                : target < hamel_n + hamel_np ? hamel_parameter_name[target - hamel_n]
                                                              : hamel_given_name[target - hamel_n -
                                                                                 hamel_np];
    o->varied++;
    return true;
}

// Grids outside, the last of them fastest, and samples at each of their places
static void hamel_lay_out(hamel_options *o) {
    sweep_layout *p = &o->layout;
    if (!o->varied) {
        *p = hamel_layout;
        for (uint32_t i = 0; i < p->value_count; i++)
            o->target[i] = hamel_layout_target[i], o->varied_name[i] = hamel_layout_name[i];
        if (!p->runs) p->runs = p->samples = 1;
        return;
    }
    *p = sweep_layout();
    p->axis = o->axis, p->axis_count = p->value_count = (uint32_t)o->varied;
    p->how = DRAW_RANDOM, p->key[0] = (uint32_t)o->seed, p->key[1] = (uint32_t)(o->seed >> 32);
    for (int i = 0; i < o->varied; i++)
        if (o->axis[i].kind != AXIS_GRID) o->axis[i].offset = p->drawn_count++;
    p->samples = p->drawn_count && o->count ? o->count : 1;
    p->runs = p->samples;
    for (int i = o->varied; i-- > 0;)
        if (o->axis[i].kind == AXIS_GRID) o->axis[i].stride = p->runs, p->runs *= o->axis[i].count;
}

static bool hamel_read_option(hamel_options *o, const char *name, const char *value) {
    char *end = NULL;
    if (!strcmp(name, "-o")) return o->file = value, true;
    if (!strcmp(name, "--vary")) return hamel_read_vary(o, value);
    if (!strcmp(name, "--method")) {
        for (o->method = 0; o->method < 3; o->method++)
            if (!strcmp(value, hamel_method[o->method])) return true;
        return false;
    }
    const double number = strtod(value, &end);
    if (!*value || *end) return false;
    if (!strcmp(name, "--tolerance")) return o->tolerance = number, number > 0 && number < 1;
    if (!strcmp(name, "--until")) return o->until = number, isfinite(number);
    if (!(number >= 0 && number < 1e18)) return false;
    const uint64_t whole = strtoull(value, NULL, 10);
    if (!strcmp(name, "--count")) return o->count = whole, whole > 0;
    if (!strcmp(name, "--seed")) return o->seed = whole, true;
    if (!strcmp(name, "--chunk")) return o->chunk = whole, whole > 0;
    if (!strcmp(name, "--repeat")) return o->repeat = (int)whole, whole > 0;
    return false;
}

static const char *hamel_words(const hamel_end *end) {
    static const char *const words[] = {
        "end", "event", "no start", "no finite value", "step too small", "constraints dependent",
        "too many steps", "other independent velocities are needed"};
    return end->outcome == HAMEL_STOPPED ? hamel_event_name[end->event] : words[end->outcome];
}

static bool hamel_is_csv(const char *file) {
    const size_t n = strlen(file);
    return n > 4 && !strcmp(file + n - 4, ".csv");
}

// In quotes where it has a comma: "q[1,2]"
static void hamel_write_name(const char *name, const char *behind, FILE *out) {
    const char *const quote = strchr(name, ',') ? "\"" : "";
    fprintf(out, "%s%s%s%s", quote, name, quote, behind);
}

static void hamel_write_header(const hamel_options *o, FILE *out) {
    for (uint32_t i = 0; i < o->layout.value_count; i++)
        hamel_write_name(o->varied_name[i], ",", out);
    for (int i = 0; i < hamel_collected_count; i++)
        hamel_write_name(hamel_collected_name[i], ",", out);
    hamel_write_name("ended", "\n", out);
}

static void hamel_write_rows(const hamel_options *o, uint64_t first, uint64_t count,
                             const double *collected, const hamel_end *ends, FILE *out) {
    double values[HAMEL_MOST_VALUES];
    for (uint64_t i = 0; i < count; i++) {
        const double *row = collected + i * hamel_collected_count,
                     end[2] = {(double)ends[i].outcome, ends[i].t};
        sweep_values(&o->layout, first + i, (hamel_value *)values);
        if (!hamel_is_csv(o->file)) {
            fwrite(values, sizeof *values, o->layout.value_count, out);
            fwrite(row, sizeof *row, hamel_collected_count, out);
            fwrite(end, sizeof *end, 2, out);
            continue;
        }
        for (uint32_t k = 0; k < o->layout.value_count; k++) fprintf(out, "%.17g,", values[k]);
        for (int k = 0; k < hamel_collected_count; k++)
            if (isnan(row[k])) fprintf(out, ",");
            else fprintf(out, "%.17g,", row[k]);
        hamel_write_name(hamel_words(&ends[i]), "\n", out);
    }
}

// All runs in chunks; the seconds that kernels took, -1 after a failure
static double hamel_run_all(const hamel_options *o, hamel_runs *r, uint64_t runs, FILE *out) {
    double *collected = (double *)malloc(o->chunk * HAMEL_SOME(hamel_collected_count) * sizeof(double));
    hamel_end *ends = (hamel_end *)malloc(o->chunk * sizeof *ends);
    double seconds = collected && ends ? 0 : -1;
    for (uint64_t first = 0; first < runs && seconds >= 0; first += o->chunk) {
        const uint64_t count = runs - first < o->chunk ? runs - first : o->chunk;
        if (!hamel_cuda_run(r, first, count, NULL, collected, ends)) seconds = -1;
        else seconds += hamel_cuda_figures(r)->seconds;
        if (seconds >= 0 && out) hamel_write_rows(o, first, count, collected, ends, out);
    }
    free(collected), free(ends);
    return seconds;
}

static void hamel_report(const hamel_options *o, const hamel_figures *f, uint64_t runs,
                         double seconds) {
    fprintf(stderr,
            "%s, %s, %s, tolerance %g: %llu runs in %.4f s, %.4g runs/s; %d registers, %zu bytes of "
            "local memory, %d warps of a processor, %d blocks\n",
            f->name, hamel_method[o->method], sizeof(real) == 8 ? "float64" : "float32", o->tolerance,
            (unsigned long long)runs, seconds, (double)runs / seconds, f->registers, f->local_bytes,
            f->warps_of_a_processor, f->blocks);
}

static int hamel_run_options(hamel_options *o) {
    hamel_lay_out(o);
    uint64_t runs = o->layout.runs;
    if (!o->varied && o->count && o->count < runs) runs = o->count;
    if (o->chunk > runs) o->chunk = runs;
    hamel_setting set = hamel_setting();
    set.method = o->method, set.most_attempts = 1u << 22;
    set.t0 = hamel_start_time, set.end = o->until, set.tolerance = o->tolerance;
    set.z = hamel_start_state, set.p = hamel_parameter_value, set.layout = &o->layout;
    set.value_count = (int)o->layout.value_count, set.target = o->target, set.from_given = true, set.capacity = o->chunk;
    hamel_runs *r = hamel_cuda_open(&set);
    FILE *out = NULL;
    double seconds = -1;
    int status = 0;
    if (hamel_cuda_why(r)[0]) status = hamel_fail(hamel_cuda_why(r), "");
    else if (o->file && !(out = fopen(o->file, "wb"))) status = hamel_fail(o->file, strerror(errno));
    if (!status && out && hamel_is_csv(o->file)) hamel_write_header(o, out);
    for (int i = 0; i < o->repeat && !status; i++) {
        seconds = hamel_run_all(o, r, runs, i ? NULL : out);
        if (seconds < 0) status = hamel_fail(hamel_cuda_why(r), "");
        else hamel_report(o, hamel_cuda_figures(r), runs, seconds);
    }
    if (out && (ferror(out) | fclose(out))) status = hamel_fail(o->file, " could not be written");
    hamel_cuda_close(r);
    return status;
}

int main(int argc, char **argv) {
    hamel_options o = hamel_options();
    o.method = 1, o.repeat = 1, o.tolerance = 1e-6, o.until = hamel_end_time;
    o.chunk = 1 << 20;
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !hamel_read_option(&o, argv[i], argv[i + 1])) {
            fprintf(stderr, hamel_usage, argv[0]);
            return 2;
        }
    return hamel_run_options(&o);
}
