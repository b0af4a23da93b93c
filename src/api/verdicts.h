// Verdicts between the call that finds them and those that write them: as a table and as JSON
// (prove.c), as data (verdicts.c). One call judges; what a line says is put into words here, once.
#ifndef HAMEL_API_VERDICTS_H
#define HAMEL_API_VERDICTS_H

#include "api/api_internal.h"
#include "prove/prove.h"

// Everything that can be judged of a model, by "all" or a list of forms; judgement_free() comes
// after it where it is HAMEL_OK.
hamel_status verdicts_find(model *m, const char *forms, bool certify, uint64_t seed,
                           const mechanics **s, judgement *out);
// HAMEL_REFUTED if something was, else HAMEL_UNDECIDED if something is
hamel_status verdicts_status(const judgement *j);

const char *verdicts_word(const verdict *v); // "proved"
// Of which states, values and branches a proof speaks, in the words of docs/proofs.md; how many
enum { VERDICTS_SCOPES = 5 };
uint32_t verdicts_scope(const verdict *v, const char *out[VERDICTS_SCOPES]);
// "2^-120" or "0" of a proof, else ""; in the arena
const char *verdicts_bound(const verdict *v, arena *a);

#endif
