// What other targets take over from the C project: the system as a header and a source, with
// a function for each of the project. The target `fmu` puts them into sources/.
#ifndef HAMEL_CODEGEN_C_PROJECT_H
#define HAMEL_CODEGEN_C_PROJECT_H

#include "codegen/target.h"

void c_project_header(const project *g, text *out); // NAME.h
void c_project_source(const project *g, text *out); // NAME.c

#endif
