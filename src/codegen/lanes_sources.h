// The code that is the same in every system that runs in lanes, as compiled into libhamel:
// tools/embed-sources writes the table from the folder lanes/. emit_lanes.c puts what is made of
// the system between its files.
#ifndef HAMEL_CODEGEN_LANES_SOURCES_H
#define HAMEL_CODEGEN_LANES_SOURCES_H

typedef struct {
    const char *name; // "loop.c"
    const char *text;
} lanes_source_file;

extern const lanes_source_file lanes_source_files[];
extern const unsigned lanes_source_file_count;

#endif
