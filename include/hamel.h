// hamel: a compiler and laboratory for constrained mechanics. The whole public interface, with its
// parts, which this header includes: hamel_context.h, hamel_data.h, hamel_editor.h,
// hamel_motion.h, hamel_study.h, hamel_sweep.h.
//
// A context owns everything made through it: models, equations, diagnostics. Nothing is global; two
// contexts never meet. Calls return a hamel_status (0 = ok); what went wrong, where, and what to do
// is in the context's diagnostics. The library never prints, never exits, and neither heeds nor
// changes the locale of the program: numbers have a point. Where memory runs out a call returns
// HAMEL_LIMIT (one that returns a pointer, NULL), and so does each later call on its context, which
// can still be asked for diagnostics and be destroyed. Text results are allocated for the caller,
// who releases them with hamel_free().
#ifndef HAMEL_H
#define HAMEL_H

#define HAMEL_VERSION "0.1.0" // of these headers

#include "hamel_context.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- models --------------------------------------------------------------------------------------

// Read a model from a file, or from the built-in library when `name` is no file
// but the name of a library model.
HAMEL_API hamel_status hamel_model_open(hamel_context *ctx, const char *name, hamel_model **model);
// Read a model from memory; `name` is what diagnostics call it. The bytes
// need not be NUL-terminated.
HAMEL_API hamel_status hamel_model_parse(hamel_context *ctx, const char *name, const void *bytes,
                                         size_t size, hamel_model **model);

// Classification: order and type of each constraint, degrees of freedom,
// warnings (HAMEL_TEXT or HAMEL_JSON). The text is a page: long formulas are cut short.
enum {
    HAMEL_CHECK_LONG = 1 // every formula in full, and what the equations are in special cases
};
HAMEL_API hamel_status hamel_model_check(hamel_model *model, hamel_format format, unsigned flags,
                                         char **result);

// What the model says, after expansion: energies, forces, constraints (HAMEL_TEXT or HAMEL_JSON).
HAMEL_API hamel_status hamel_model_describe(hamel_model *model, hamel_format format, char **result);

// Equations of motion by one or more formalisms: "maggi", "maggi,multipliers" or "all". NULL:
// maggi, or multipliers where maggi cannot treat the constraints.
enum {
    HAMEL_DERIVE_STATS = 1, // add operation counts after sharing
    HAMEL_DERIVE_RAW = 2,   // skip simplification: named common subexpressions throughout
    HAMEL_DERIVE_FULL = 4,  // list every quantity of a formalism, however long
    HAMEL_DERIVE_CITE = 8   // in LaTeX: \cite the sources of each formalism by their keys
};
HAMEL_API hamel_status hamel_model_derive(hamel_model *model, const char *forms,
                                          hamel_format format, unsigned flags, char **result);

// The equations of a form as M x + F = 0 in its unknowns, and the matrix of the constraints, as
// expressions; formats as of hamel_model_linearise(). A NULL form is the default of
// hamel_model_derive().
HAMEL_API hamel_status hamel_model_matrices(hamel_model *model, const char *form,
                                            hamel_format format, char **result);

// Accelerations, multipliers, reactions, energy and residuals at a state, each correct to `digits`
// digits. `at` is a list such as "t=0, x=1, x'=2"; what it leaves out comes from the model's
// `initial` (HAMEL_TEXT or HAMEL_JSON). A NULL form is the default of hamel_model_derive.
HAMEL_API hamel_status hamel_model_evaluate(hamel_model *model, const char *form, const char *at,
                                            unsigned digits, hamel_format format, char **result);

// The completed initial state: t, q, q' and the quasi-velocities, each correct to `digits` digits,
// with what was given, guessed and solved for, the residuals of the constraints, and other
// solutions of the constraints on coordinates that were found. `at` as in hamel_model_evaluate
// (HAMEL_TEXT or HAMEL_JSON).
HAMEL_API hamel_status hamel_model_assemble(hamel_model *model, const char *at, unsigned digits,
                                            hamel_format format, char **result);

// Transpositional relations delta(dq/dt) - d/dt delta(q) of a mechanics that has them
// ("a-model", ..), free and reduced by Chetaev's conditions, with W, E(L), A and det W
// (HAMEL_TEXT, HAMEL_LATEX or HAMEL_JSON).
HAMEL_API hamel_status hamel_model_transpose(hamel_model *model, const char *form,
                                             hamel_format format, char **result);
// What doubling a `const` of the model changes: accelerations of the independent
// coordinates at N, 2N, 4N and 8N from the same initial state, and the change from each to
// the next (HAMEL_TEXT or HAMEL_JSON).
HAMEL_API hamel_status hamel_model_double(hamel_model *model, const char *constant,
                                          const char *form, const char *at, unsigned digits,
                                          hamel_format format, char **result);

// Every formalism; with a model (else NULL), whether it applies and why not
// (HAMEL_TEXT or HAMEL_JSON).
HAMEL_API hamel_status hamel_forms(hamel_context *ctx, hamel_model *model, hamel_format format,
                                   char **result);

// The file of a run that was cut short, made from its journal: `file` is the name that the run was
// to write, or that of the journal beside it. HAMEL_TEXT or HAMEL_JSON; HAMEL_NUMERICS if there is
// no journal, a run still writes it, or the file cannot be written.
HAMEL_API hamel_status hamel_recover(hamel_context *ctx, const char *file, hamel_format format,
                                     char **result);

// The sources that outputs and documentation name: those with the keys in `names`, and for the id
// of a formalism the ones it comes from ("T18,maggi"); all of them where `names` is NULL.
// HAMEL_TEXT, HAMEL_MARKDOWN, HAMEL_JSON or HAMEL_BIBTEX.
HAMEL_API hamel_status hamel_references(hamel_context *ctx, const char *names, hamel_format format,
                                        char **result);
// The sources of the formalisms that hamel_model_derive() takes for `forms`.
HAMEL_API hamel_status hamel_model_references(hamel_model *model, const char *forms,
                                              hamel_format format, char **result);

// A figure of a run or of a file. What is left out (NULL or 0) is chosen.
typedef struct hamel_plot {
    // A panel for each: "X:Y" is the column Y against X, "Y" means "t:Y", and commas add curves:
    // "x,y", "x1:y1,x2:y2". Columns are named as in CSV files; "error(NAME)" is |value - first| /
    // (1 + |first|). "X:Y=NAME" is called NAME in the legend. A name with one of , : = in it stands
    // in double quotes. None: y against x if there are such coordinates, else all coordinates
    // against t; of a file, all columns against the first.
    const char *const *panels;
    size_t panel_count;
    // A file whose name ends in .svg, .png or .pdf; "-": SVG through `write` of the
    // run; NULL: drawn in characters
    const char *output;
    // labels: of the axes, instead of the names of the columns
    const char *title, *x_label, *y_label;
    // "x", "y", "xy" or "none"; NULL: y where a panel shows errors only
    const char *log;
    // "none", "tl", "tr", "bl" or "br" (top left ..), "above"; NULL: where
    // several curves leave room for it
    const char *legend;
    double width, height; // of the figure, in pixels of 1/96 inch
    // The same scale on both axes: 1 yes, -1 no, 0 where coordinates x, y, z of one
    // point are drawn against each other
    int equal;
    int grid, events; // lines at the ticks; marks at the events of the run
    int marks;        // a sign at each point, another for each curve
    // Instead of curves against the first column, at most one: the amplitude spectrum of each
    // column; which rows are near to which, in the columns of a panel or in the state
    int spectrum, recurrence;
    double near; // of recurrence: rows are near that differ by less; 0: a tenth of the largest
    int json;    // what is found with these two as a JSON document
    unsigned columns, lines; // of a drawing in characters
    int unicode, colour;     // .. that may use braille patterns; and terminal colours
    const void *later[4];    // NULL, for members of later versions
} hamel_plot;

// A trajectory. What is left out (NULL, or 0 for numbers) is as the model's
// `simulate` says, else a default.
typedef struct hamel_run {
    const char *form;    // id of a formalism
    const char *method;  // id of an integrator, or "auto"
    const char *at;      // changes to the initial state, as in hamel_model_evaluate
    const char *execute; // "auto", "compiled" or "interpreted"
    // "double", or for `taylor` "long" (64 bits and more) or "quad" (113 bits): state, steps,
    // columns and drift in such numbers, CSV with all their digits; .h5 and .npz hold doubles. The
    // tolerance is then the finest that such numbers allow, unless one is given
    const char *precision;
    // a file whose name ends in .csv, .h5 or .npz; "-": CSV through `write`; NULL: no rows
    const char *output;
    const char *resume; // an .h5 file to go on from; NULL: from the initial state
    // drawn in characters behind a summary in words; its output is not looked at; NULL: none
    const hamel_plot *plot;
    double until, tolerance, interval, step;
    int verify;  // a second run at a tighter tolerance estimates the error
    int project; // velocities are projected onto the constraints in the kinetic metric
    int (*write)(const void *bytes, size_t size, void *data); // 0: it could not
    void (*progress)(double fraction, void *data);            // NULL: none
    void *data;                                               // of both
    // becomes nonzero to stop the run; NULL: never
    const volatile int *interrupted;
    const void *later[4]; // NULL, for members of later versions
} hamel_run;
// The result is a summary: steps, evaluations, drift of energy, invariants and constraints,
// events (HAMEL_TEXT or HAMEL_JSON). HAMEL_NUMERICS if the run stopped before its end; what
// was computed up to there is kept. Contacts, resets and clocks are followed from one piece of the
// motion to the next, here, in hamel_model_plot() and in hamel_model_report(): then precision,
// resume and verify are refused. Calls about equations speak of the modes of contacts in which the
// model was read (hamel_context_set with "mode[floor]=sliding"), and say so; those that follow
// one smooth motion return HAMEL_USAGE unless a mode is set.
HAMEL_API hamel_status hamel_model_simulate(hamel_model *model, const hamel_run *run,
                                            hamel_format format, char **result);

#include "hamel_data.h"
#include "hamel_editor.h"
#include "hamel_motion.h"
#include "hamel_study.h"
#include "hamel_sweep.h"

// --- figures, comparisons, pages, code, proofs ---------------------------------------------------

// A run as a figure: written to the file that `plot` names, or the result, in characters. Rows are
// as close as curves need unless `run` says how close. Of `run`, output and resume are not looked
// at. HAMEL_NUMERICS if the run stopped before its end; what was computed up to there is drawn.
HAMEL_API hamel_status hamel_model_plot(hamel_model *model, const hamel_run *run,
                                        const hamel_plot *plot, char **result);
// The same from rows that are there: a CSV file with a line of names first, where empty cells
// are gaps, or an .h5 file of hamel_model_simulate. "-" as the output of `plot` is SVG
// through `write`, as in a hamel_run.
HAMEL_API hamel_status hamel_file_plot(hamel_context *ctx, const char *file, const hamel_plot *plot,
                                       int (*write)(const void *bytes, size_t size, void *data),
                                       void *data, char **result);

// Two forms from one initial state: how far apart their motions are, when they part, and,
// where multipliers are part of the state, how that depends on their initial values
// (HAMEL_TEXT or HAMEL_JSON). Of `run`, form, precision, output and resume are not looked at.
// HAMEL_NUMERICS if a run stopped early.
HAMEL_API hamel_status hamel_model_compare(hamel_model *model, const char *form, const char *other,
                                           const hamel_run *run, hamel_format format,
                                           char **result);

// A page for a person: the model, its classification, the equations by each form (NULL or "all":
// those that apply; else a list of ids) with what the others lack, the verdicts, and a run with
// its data (docs/page.md). HAMEL_HTML: one file that needs nothing else; HAMEL_JSON: the data in
// it. Of `run` (NULL: as the model says) output and resume are not looked at; without a form it
// takes the only one that `forms` names. Where a run or a verdict cannot be had, the page says
// why, and the context has a warning.
HAMEL_API hamel_status hamel_model_report(hamel_model *model, const char *forms,
                                          const hamel_run *run, hamel_format format, char **result);

// A run as a film, its page's animation drawn picture by picture. What is left out (NULL or 0) is
// chosen.
typedef struct hamel_film {
    // A file whose name ends in .mp4 or .gif, which ffmpeg makes (HAMEL_NUMERICS where it is not
    // there); or .png with one %d or %04d, a file for each picture
    const char *output;
    double width, height; // in pixels; 960 x 540
    double rate;          // pictures a second; 30, of a GIF 20
    double speed;         // seconds of the motion in one of the film; 1
    double from, until;   // of the motion, where has_from and has_until say so
    int has_from, has_until;
    double azimuth, elevation; // where the eye stands, in degrees, where has_view says so
    int has_view;
    double trail; // how many seconds of a way are shown, where has_trail says so; else all of it
    int has_trail;
} hamel_film;
// Of `run`, output and resume are not looked at; rows are where pictures are. The result says what
// was written (HAMEL_TEXT or HAMEL_JSON). The file is whole or not there.
HAMEL_API hamel_status hamel_model_film(hamel_model *model, const hamel_run *run,
                                        const hamel_film *film, hamel_format format, char **result);

// The equations as stand-alone code in a folder (NULL: NAME-c in the working directory), which must
// be empty, new or of an earlier call. Target (NULL: the first that is known): "c", C99
// with libm: right-hand side, mass matrix and
// forcing, multipliers and reactions, energy, invariants, observables, constraint residuals,
// Jacobian, and a main that prints a trajectory. Without a form, the model's own, or that of the
// cheapest right-hand side in the usual variables. The result lists the files.
HAMEL_API hamel_status hamel_model_codegen(hamel_model *model, const char *target, const char *form,
                                           const char *at, const char *folder, char **result);

// A file with these bytes, whole or not at all: written beside it, then renamed. HAMEL_USAGE if a
// model of the context was read from it, HAMEL_NUMERICS if it cannot be written.
HAMEL_API hamel_status hamel_file_write(hamel_context *ctx, const char *file, const void *bytes,
                                        size_t size);

// A model's text in the canonical layout (docs/layout.md): tokens and comments stay, in order; the
// blanks, indentation and empty lines between them are made regular, and lines longer than `width`
// columns are broken (0: those longer than 150, into lines of at most 100). `name` is what
// diagnostics call the text; includes are looked for beside it, and may be missing. HAMEL_MODEL
// where it cannot be read as a model. The result ends in NUL; *size (NULL: not wanted) is its
// length, because comments may hold NUL bytes.
HAMEL_API hamel_status hamel_text_format(hamel_context *ctx, const char *name, const void *bytes,
                                         size_t size, unsigned width, char **result,
                                         size_t *result_size);
// The same of a file, or of standard input ("-"). *changes (NULL: not wanted) becomes 1 where the
// file holds something else than the result, else 0.
HAMEL_API hamel_status hamel_file_format(hamel_context *ctx, const char *file, unsigned width,
                                         char **result, size_t *result_size, int *changes);

// Verdicts on everything that can be judged: agreement of the forms ("all" or a list of ids),
// claims, invariants, the energy balance (HAMEL_TEXT or HAMEL_JSON). With `certify`, proofs by
// normal form where the size allows. HAMEL_REFUTED if something was refuted, else HAMEL_UNDECIDED
// if something was not decided; the result is there in these cases too.
HAMEL_API hamel_status hamel_model_prove(hamel_model *model, const char *forms, int certify,
                                         hamel_format format, char **result);
// The same with primes and states drawn from another seed; 0: from the one that
// is made of the model's text.
HAMEL_API hamel_status hamel_model_prove_seeded(hamel_model *model, const char *forms, int certify,
                                                unsigned long long seed, hamel_format format,
                                                char **result);

// --- what is known -------------------------------------------------------------------------------

// What can be named in a call, one by one in the order in which they are listed: the id of number
// `index` of a kind, "forms", "methods" (integrators), "formats" (of equations),
// "transposition-formats" (of `transpose`), "source-formats" (of `references`), "matrix-formats",
// "targets" (of codegen), "statements" (of the language) or "models"; NULL behind the last.
// *about (NULL: not wanted) becomes what it is in a few words, or NULL.
HAMEL_API const char *hamel_known(const char *kind, size_t index, const char **about);
// The number of a format by its id ("latex"), a hamel_format; -1 if there is none.
HAMEL_API int hamel_format_find(const char *id);
// The number that a text is, digits with a point in every locale, as options are read: 1, or 0 if
// the text is no finite number.
HAMEL_API int hamel_number_read(const char *text, double *value);
// The one of `count` names that `name` was likely meant to be; NULL if none is near.
HAMEL_API const char *hamel_nearest(const char *name, const char *const *known, size_t count);

// --- the built-in library ------------------------------------------------------------------------

HAMEL_API size_t hamel_library_count(void); // of models; names and texts behind the last are NULL
HAMEL_API const char *hamel_library_name(size_t index);
HAMEL_API const char *hamel_library_text(size_t index, size_t *size);
// A starting point for a new model called `name`.
HAMEL_API char *hamel_library_template(const char *name);

#ifdef __cplusplus
}
#endif

#endif
