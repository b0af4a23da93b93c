// The data that a page carries.
#include "report/page_data.h"

#include "hamel.h"
#include "report/run_data.h"
#include "report/scene.h"

void page_data_json(const model *m, const finished_run *r, size_t budget, json *out) {
    json_open(out, NULL, '{');
    json_string(out, "name", m->name);
    json_string(out, "title", m->title ? m->title : m->name);
    json_string(out, "version", HAMEL_VERSION);
    if (r) {
        run_data_json(r, budget / 5 * 3, "run", out);
        scene_json(r, budget / 5 * 2, "scene", out);
    } else {
        json_null(out, "run");
        json_null(out, "scene");
    }
    json_close(out, '}');
}
