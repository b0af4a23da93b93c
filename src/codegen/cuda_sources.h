// The parts of a sweep on a GPU that are the same for every system, as compiled into libhamel:
// tools/embed-sources writes the table from the folder cuda/. codegen/cuda.c puts them into one
// file with what follows from the model.
#ifndef HAMEL_CODEGEN_CUDA_SOURCES_H
#define HAMEL_CODEGEN_CUDA_SOURCES_H

typedef struct {
    const char *name; // "kernel.cuh"
    const char *text;
} cuda_source_file;

extern const cuda_source_file cuda_source_files[];
extern const unsigned cuda_source_file_count;

#endif
