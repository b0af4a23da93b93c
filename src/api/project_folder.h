// Where the files of `hamel codegen` go: into a folder that is made, is empty, or was written by
// the same target before. All files appear at the end, or none does.
#ifndef HAMEL_API_PROJECT_FOLDER_H
#define HAMEL_API_PROJECT_FOLDER_H

#include "base/context.h"
#include "codegen/target.h"

// folder NULL: NAME-TARGET. The names of the files, a line each, become *result.
hamel_status project_folder_write(context *ctx, const target *to, const project *g,
                                  const char *folder, char **result);

#endif
