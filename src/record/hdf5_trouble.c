// HDF5, loaded, and what it says where one of its calls fails: see hdf5_internal.h.
#include "record/hdf5_internal.h"

#include "base/recovery.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The error of a system call, as HDF5 writes it: "..., errno = 5, error message = '...', ..."
static int system_error(const char *said) {
    static const char ERRNO[] = "errno = ";
    const char *found = strstr(said, ERRNO);
    const long number = found ? strtol(found + sizeof ERRNO - 1, NULL, 10) : 0;
    return number > 0 && number < 200 && number != EPERM ? (int)number : 0; // EPERM: of the fence
}

static herr_t take_reason(unsigned depth, const H5E_error2_t *e, void *out) {
    hdf5_trouble *t = out;
    if (e->min_num == H5E_NOSPACE || e->min_num == H5E_CANTALLOC) t->no_memory = true;
    if (!t->system) t->system = system_error(e->desc);
    if (!depth && !*t->reason) snprintf(t->reason, sizeof t->reason, "%s", e->desc);
    return 0;
}

// The first call that fails says why, its innermost error first.
static herr_t note(hid_t stack, void *data) {
    H5Ewalk2(stack, H5E_WALK_UPWARD, take_reason, data);
    return 0;
}

static void *library(void) { return dlopen(HAMEL_HDF5, RTLD_LAZY | RTLD_LOCAL); }

// dlopen() finds what is loaded already by its name, and asks nothing of the system. A program that
// is linked with HDF5 itself has some of its variables in its own memory: its names come first.
void *hdf5_symbol(const char *name) {
    void *own = library(), *all = dlopen(NULL, RTLD_LAZY);
    return dlsym(dlsym(all, "H5open") == dlsym(own, "H5open") ? all : own, name);
}

bool hdf5_listen(hdf5_trouble *t) {
    enum { NEEDED = 128 << 20 }; // bytes, mostly addresses, for it and what comes with it
    *t = (hdf5_trouble){0};
    // The loader that gets no memory for a path says that there is no such file: it is asked twice
    if (!library() && !library()) {
        const char *said = dlerror();
        t->no_memory = (said && strstr(said, "memory")) || !memory_has(NEEDED);
        t->system = ELIBACC;
        return false;
    }
    // it cannot even begin: nothing else is missing then
    t->no_memory = H5open() < 0 || H5Eset_auto2(H5E_DEFAULT, note, t) < 0;
    return !t->no_memory;
}

void hdf5_give_up(const hdf5_trouble *t, fence *f) {
    if (t->no_memory) recovery_jump(RECOVERY_NO_MEMORY);
    if (t->system) fence_fail(f, t->system);
}
