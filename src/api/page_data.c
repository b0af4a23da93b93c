// The data of a report page.
#include "api/page_data.h"

#include "derive/formalism.h"
#include "report/run_data.h"
#include "report/scene.h"

void page_data_json(const run_job *j, json *out) {
    json_open(out, NULL, '{');
    json_string(out, "name", j->m->name);
    json_string(out, "title", j->m->title ? j->m->title : j->m->name);
    json_string(out, "version", HAMEL_VERSION);
    if (j->rows->row_count) {
        const finished_run r = {.system = j->system,
                                .rows = j->rows,
                                .form = j->form->id,
                                .method = j->method->id,
                                .outcome = run_job_outcome(j),
                                .event_count = j->r.events_count,
                                .events = j->r.events};
        run_data_json(&r, "run", out);
        scene_json(&r, "scene", out);
    } else {
        json_null(out, "run");
        json_null(out, "scene");
    }
    json_close(out, '}');
}
