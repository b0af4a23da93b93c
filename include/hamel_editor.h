// What an editor asks of a text while it is written: where names are declared and used, what stands
// at a place, what can be written there. `hamel lsp` is made of these calls. This is a part of
// hamel.h, which includes it and says what statuses and contexts are; programs include that one.
#ifndef HAMEL_EDITOR_H
#define HAMEL_EDITOR_H

#ifndef HAMEL_H
#error "include hamel.h"
#endif

// A text with all that it includes, read with or without errors; it belongs to its context. Places
// are bytes of a file. A context reads one document: for a text that was edited take another one.
typedef struct hamel_document hamel_document;

typedef struct hamel_place {
    const char *file; // as in diagnostics; NULL: nowhere
    size_t offset, length;
} hamel_place;

// The text of an included file as an editor has it, saved or not; NULL: as it is on the disk.
// `path` is relative in the same way as the name of the document.
typedef const char *(*hamel_editor_text)(const char *path, size_t *size, void *data);

// HAMEL_MODEL where the text has errors: the document is there in this case too. `name` is what
// includes are relative to; `text` may be NULL.
HAMEL_API hamel_status hamel_document_read(hamel_context *ctx, const char *name, const void *bytes,
                                           size_t size, hamel_editor_text text, void *data,
                                           hamel_document **document);
// The model of a text without errors; else NULL.
HAMEL_API hamel_model *hamel_document_model(const hamel_document *document);

// --- one by one, from 0 on; 0 behind the last ----------------------------------------------------

typedef enum { HAMEL_ERROR, HAMEL_WARNING, HAMEL_NOTE } hamel_severity;
typedef struct hamel_message {
    hamel_severity severity;
    hamel_place at;             // a length of 0: just behind something
    const char *message, *help; // help: what to do about it; NULL: nothing to say
} hamel_message;
// A note belongs to the last error or warning before it.
HAMEL_API int hamel_message_at(const hamel_context *ctx, size_t index, hamel_message *out);

// The files of a document: its own text, then what it includes.
typedef struct hamel_document_file {
    const char *file, *bytes;
    size_t size;
} hamel_document_file;
HAMEL_API int hamel_document_file_at(const hamel_document *document, size_t index,
                                     hamel_document_file *out);
// The strings behind `include`, and where they lead.
typedef struct hamel_document_link {
    hamel_place at;
    const char *path;
} hamel_document_link;
HAMEL_API int hamel_document_link_at(const hamel_document *document, size_t index,
                                     hamel_document_link *out);

// What is declared, and of what kind it is: "parameter", "coordinate", "body", "constraint" ..
typedef struct hamel_symbol {
    const char *name, *kind;
    hamel_place at, whole; // its name; its statement
    int is_local;          // the index of a loop, the argument of a function
    int has_name;          // 0: `at` is a word of the language; it cannot be renamed
} hamel_symbol;
HAMEL_API int hamel_document_symbol_at(const hamel_document *document, size_t index,
                                       hamel_symbol *out);
// Every place where the name of a symbol stands, without indices and primes; by files, and in the
// order of each text.
typedef struct hamel_use {
    hamel_place at;
    size_t symbol;
    int declares;
} hamel_use;
HAMEL_API int hamel_document_use_at(const hamel_document *document, size_t index, hamel_use *out);
// Statements that could not be read: the names in them are not among the uses.
HAMEL_API int hamel_document_broken_at(const hamel_document *document, size_t index,
                                       hamel_place *out);

// --- at a place ----------------------------------------------------------------------------------

// What stands there, in markdown: a name with its meaning, type, unit and value, a statement, a
// function of the language; *result is NULL where there is nothing to say. *at is the word.
HAMEL_API hamel_status hamel_document_explain(hamel_document *document, const char *file,
                                              size_t offset, hamel_place *at, char **result);

// What can be written there. The word that is there already is *at, an empty one perhaps; the list
// lies in the context.
typedef struct hamel_candidate {
    const char *name, *kind; // as of symbols, or "statement", "word", "function", "id"
    const char *about;       // one line; NULL: nothing to say
    const char *written;     // of a statement or function: how it is written; else NULL
} hamel_candidate;
HAMEL_API hamel_status hamel_document_complete(hamel_document *document, const char *file,
                                               size_t offset, hamel_place *at,
                                               const hamel_candidate **list, size_t *count);

// Whether a declared thing may be called so: HAMEL_USAGE, and *why it may not (in the context), for
// what is no name, a word of the language, or taken.
HAMEL_API hamel_status hamel_document_name_fits(hamel_document *document, size_t symbol,
                                                const char *name, const char **why);

#endif
