// The code that is the same in every FMU, as compiled into libhamel: tools/embed-sources writes the
// table from the folder fmu/. The target `fmu` copies each file as it is.
#ifndef HAMEL_CODEGEN_FMU_SOURCES_H
#define HAMEL_CODEGEN_FMU_SOURCES_H

typedef struct {
    const char *name; // "events.c"
    const char *text;
} fmu_source_file;

extern const fmu_source_file fmu_source_files[];
extern const unsigned fmu_source_file_count;

#endif
