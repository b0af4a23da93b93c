// A text as editors see it, shared by the files that answer about it: what is declared and used
// (parse/outline.h), with the model behind it. hamel_document_read() makes one; the questions about
// it (editor_explain.c, editor_complete.c) find what they need by the calls below.
#ifndef HAMEL_API_EDITOR_H
#define HAMEL_API_EDITOR_H

#include "api/api_internal.h"
#include "parse/outline.h"

struct hamel_document {
    context *ctx;
    model *model; // also of a text with errors, where its names are all it is good for
    bool is_good; // the text has no errors
    outline outline;
};

// Reads a text in both ways (read_model.c)
hamel_status api_read_for_editor(context *ctx, const char *name, const void *bytes, size_t size,
                                 outline *o, model **out);

hamel_place editor_place(span at);
// The text of a file of the document; NULL: it has none of this name
const source *editor_file(const hamel_document *d, const char *file);
// What the name of a symbol stands for in the model; of a family, its first member. NULL: nothing
// is known, or it is no value and no body.
const entry *editor_entry(const hamel_document *d, const outline_symbol *s);
const char *editor_kind(const outline_symbol *s); // "coordinate"
// One line, "coordinate, m": in the arena
const char *editor_about(const hamel_document *d, const outline_symbol *s);

#endif
