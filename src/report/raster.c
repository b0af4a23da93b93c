// The libraries that draw SVG, found by name.
#include "report/raster.h"

#include "base/memory.h"
#include "base/recovery.h"

#include <dlfcn.h>
#include <string.h>

static bool find(void *handle, const char *name, void *function) {
    void *address = dlsym(handle, name);
    memcpy(function, &address, sizeof address); // POSIX has both of one size, C has no cast
    return address != NULL;
}

enum { NEEDED = 320 << 20 }; // bytes, mostly addresses: pango starts threads, each with a stack

// librsvg brings cairo and glib with it. With less memory than that it may be found all the same,
// and then wait for ever: pango waits for fonts that a thread of its own got no memory for.
bool raster_load(raster_library *l, text *why) {
    if (!memory_has(NEEDED)) recovery_jump(RECOVERY_NO_MEMORY);
    void *handle = dlopen("librsvg-2.so.2", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    bool found = handle != NULL;
#define FIND(name) found = found && find(handle, #name, &l->name)
    RASTER_CALLS(FIND);
    if (!found) {
        text_append(why, dlerror());
        text_append(why, "; install librsvg 2 (in Debian 12: librsvg2-2), or write .svg");
    }
    return found;
}
