// Everything of hamel.hpp, compiled by two compilers without a warning and run by t_cpp.py: what it
// hands over, what it throws, and that objects can be moved and destroyed in any order.
#include "hamel.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>
#include <type_traits>

static int checks = 0;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        checks++;                                                                                  \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                   \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

template <class E, class Call> static std::string thrown(Call call) {
    try {
        call();
    } catch (const E &e) {
        return e.what();
    }
    return {};
}

static_assert(!std::is_copy_constructible_v<hamel::context>, "move-only");
static_assert(!std::is_copy_constructible_v<hamel::trajectory>, "move-only");
static_assert(!std::is_copy_constructible_v<hamel::motion>, "move-only");
static_assert(!std::is_copy_constructible_v<hamel::field>, "move-only");
static_assert(!std::is_copy_constructible_v<hamel::field::work>, "move-only");
static_assert(std::is_nothrow_move_constructible_v<hamel::equations>, "move-only");
static_assert(std::is_nothrow_move_constructible_v<hamel::verdicts>, "move-only");

static const char spring[] = "param w = 3\ncoord x\nkinetic x'^2/2\npotential w^2*x^2/2\n"
                             "initial x = 1\nevent low: x - 1/2 down\nclaim false: x'' = 1\n";

static void names_and_texts() {
    hamel::context ctx;
    hamel::model m = ctx.open("sleigh");
    CHECK(m.name() == "sleigh");
    CHECK((m.names("coordinates") == std::vector<std::string>{"x", "y", "theta"}));
    CHECK(m.names("no such kind").empty());
    CHECK(m.derive("maggi").find("Maggi") != std::string::npos);
    CHECK(!m.check(HAMEL_JSON).empty() && !m.describe().empty() && !m.evaluate().empty());
    CHECK(std::isnan(m.value("no")) && m.unit("x").empty());
}

static void errors_have_status_and_words() {
    hamel::context ctx;
    const std::string said = thrown<hamel::error>([&] { ctx.open("sleig"); });
    CHECK(said.find("did you mean the library model `sleigh`?") != std::string::npos);
    try {
        ctx.parse("coord x\nkinetic x'^^2\n", "bad.ham");
        CHECK(false);
    } catch (const hamel::error &e) {
        CHECK(e.status() == HAMEL_MODEL);
        CHECK(std::string(e.what()).find("bad.ham:2:") != std::string::npos);
    }
    CHECK(!thrown<hamel::error>([&] { ctx.parse({}); }).empty()); // no bytes at NULL
    hamel::model m = ctx.open("sleigh"); // the context goes on
    CHECK(thrown<hamel::error>([&] { m.derive("no"); }).find("sleig") == std::string::npos);
    hamel_run wrong{};
    wrong.method = "no";
    CHECK(!thrown<hamel::error>([&] { m.trajectory(wrong); }).empty());
    CHECK(!thrown<hamel::error>([&] { m.equations("no"); }).empty());
    CHECK(!thrown<hamel::error>([&] { m.field(0); }).empty());
    CHECK(!thrown<hamel::error>([&] { ctx.set("nothing"); }).empty());
    hamel_limits bad{};
    bad.time = -1;
    CHECK(!thrown<hamel::error>([&] { ctx.limit(bad); }).empty());
    CHECK(m.trajectory().status() == HAMEL_OK);
}

static void trajectories_outlive_everything() {
    std::optional<hamel::trajectory> kept;
    {
        hamel::context ctx;
        hamel_run run{};
        run.until = 2, run.interval = 0.5;
        hamel::trajectory made = ctx.parse(spring).trajectory(run);
        kept = std::move(made);
    }
    CHECK(kept->rows() == 5 && kept->name(0) == "t" && kept->kind(1) == "coordinate");
    const hamel::span<const double> t = (*kept)["t"], x = (*kept)["x"];
    CHECK(t.size() == 5 && !t.empty() && t[1] == 0.5);
    for (std::size_t i = 0; i < t.size(); i++) CHECK(std::fabs(x[i] - std::cos(3 * t[i])) < 1e-8);
    double sum = 0;
    for (double value : x) sum += value;
    CHECK(std::isfinite(sum));
    const std::vector<hamel_happening> events = kept->events();
    CHECK(events.size() == 1 && std::string_view(events[0].name) == "low");
    CHECK(std::fabs(events[0].t - std::acos(0.5) / 3) < 1e-9);
    CHECK(kept->summary().find("the end was reached") != std::string_view::npos);
    CHECK(kept->summary(HAMEL_JSON)[0] == '{' && kept->unit(0).empty());
    CHECK(thrown<std::out_of_range>([&] { (*kept)["y"]; }).find("`y`") != std::string::npos);
    CHECK(!thrown<std::out_of_range>([&] { kept->column(1000); }).empty());
}

static void a_run_that_stops_keeps_its_rows() {
    hamel::context ctx;
    hamel_run run{};
    run.until = 2, run.interval = 0.01;
    const hamel::trajectory w =
        ctx.parse("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x' = x^2\ninitial x = 1\n")
            .trajectory(run);
    CHECK(w.status() == HAMEL_NUMERICS && w.rows() > 90);
    CHECK(w.diagnostics().find("the run stopped at t = 1") != std::string::npos);
}

static void rows_come_from_files_too() {
    const char *file = "rows.csv";
    std::ofstream(file) << "t,x\n0,1\n1,\n";
    hamel::context ctx;
    const hamel::trajectory w = ctx.read(file);
    CHECK(w.rows() == 2 && w["x"][0] == 1 && std::isnan(w["x"][1]));
    CHECK(!thrown<hamel::error>([&] { ctx.read("none.csv"); }).empty());
}

static void verdicts_and_equations() {
    hamel::context ctx;
    hamel::model m = ctx.parse(spring);
    const hamel::verdicts v = m.judge();
    CHECK(v.status() == HAMEL_REFUTED && v.size() > 1);
    bool refuted = false;
    for (std::size_t i = 0; i < v.size(); i++)
        refuted = refuted || std::string_view(v[i].verdict) == "refuted";
    CHECK(refuted);
    CHECK(!thrown<std::out_of_range>([&] { v[v.size()]; }).empty());
    const hamel::equations eq = m.equations();
    CHECK(eq.form() == "maggi" && eq.nodes() > 0);
    const std::vector<hamel_expr> rates = eq.part(HAMEL_RATES);
    CHECK(rates.size() == 2 && eq.text(rates[1]) == "-w^2*x");
    CHECK(eq.name(HAMEL_ENERGIES, 0) == "T" && eq.name(HAMEL_RATES, 0).empty());
    CHECK(std::string_view(eq.node(rates[0]).kind) == "symbol");
    CHECK(!thrown<std::out_of_range>([&] { eq.node(HAMEL_NO_EXPR); }).empty());
}

static void motions_run_and_listen() {
    hamel::context ctx;
    hamel_run run{};
    run.execute = "interpreted";
    hamel::motion w = ctx.parse(spring).prepare(run);
    CHECK(w.count(HAMEL_STATE) == 2 && w.name(HAMEL_STATE, 0) == "x");
    std::vector<double> times{0.25, 0.5}, rows(2 * w.count(HAMEL_COLUMN));
    CHECK(w.run(1, times, rows).rows == 2);
    CHECK(rows[0] == 0.25 && std::fabs(rows[1] - std::cos(0.75)) < 1e-9);
    CHECK(!thrown<std::invalid_argument>([&] { w.run(2, times, {}); }).empty());
    w.set("w", 2), w.start();
    CHECK(w.get(0) == 2);
    double t = 0;
    std::size_t heard = 0;
    hamel::motion moved = std::move(w);
    moved.on_event([&](std::size_t, double at, int direction, hamel::span<const double> row) {
        t = at;
        CHECK(direction == -1 && std::fabs(row[1] - 0.5) < 1e-9);
        return ++heard == 2;
    });
    CHECK(std::fabs(moved.run(100).t - t) < 1e-12 && heard == 2);
    CHECK(std::fabs(t - (std::acos(0.5) / 2 + std::acos(-1.0))) < 1e-9);
    moved.on_event([](std::size_t, double, int, hamel::span<const double>) -> bool {
        throw std::runtime_error("from the listener");
    });
    CHECK(thrown<std::runtime_error>([&] { moved.run(200); }) == "from the listener");
    std::size_t first = 0, second = 0;
    const std::vector<int> kept(1000, 1);
    moved.on_event([&, kept](std::size_t, double, int, hamel::span<const double>) {
        moved.on_event([&](std::size_t, double, int, hamel::span<const double>) {
            second++;
            return false;
        });
        first += static_cast<std::size_t>(kept[999]); // this listener is there to its end
        return false;
    });
    moved.start();
    moved.run(10);
    CHECK(first == 1 && second > 1);
    moved.on_event([&](std::size_t, double, int, hamel::span<const double>) {
        moved.start(); // not while it runs
        return false;
    });
    CHECK(thrown<hamel::error>([&] { moved.run(20); }).find("is running") != std::string::npos);
    hamel::motion third = std::move(moved); // objects that were moved away answer
    CHECK(!thrown<std::logic_error>([&] { moved.run(30); }).empty());
    CHECK(!thrown<std::logic_error>([&] { moved.on_event(nullptr); }).empty());
    moved = std::move(third);
    moved.on_event(nullptr);
    moved.start(0, std::vector<double>{0, 1});
    CHECK(moved.step(1).t > 0);
    CHECK(moved.row().size() == moved.count(HAMEL_COLUMN));
    CHECK(!thrown<std::invalid_argument>([&] { moved.start(0, std::vector<double>{0}); }).empty());
    CHECK(!thrown<hamel::error>([&] { moved.set("no", 1); }).empty());
    hamel::motion copy = moved.copy();
    copy.start_at("x=3");
    CHECK(copy.now(&t)[0] == 3 && t == 0);
}

static void fields_are_for_threads() {
    std::optional<hamel::field> f;
    {
        hamel::context ctx;
        hamel_run run{};
        run.execute = "interpreted";
        hamel::motion w = ctx.parse(spring).prepare(run);
        f = w.field();
        CHECK(ctx.parse(spring).field(HAMEL_FIELD_RATE, run).size() == 2);
    }
    double start = 1;
    CHECK(f->start(&start)[0] == 1 && start == 0 && f->name(HAMEL_PARAMETER, 0) == "w");
    std::vector<double> found(4);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < found.size(); i++)
        threads.emplace_back([&, i] {
            hamel::field::work w = f->make_work();
            std::vector<double> z{1, 0}, dz(2);
            w.set(0, static_cast<double>(i + 1));
            if (f->rate(w, 0, z, dz)) found[i] = dz[1];
        });
    for (std::thread &thread : threads) thread.join();
    for (std::size_t i = 0; i < found.size(); i++)
        CHECK(found[i] == -static_cast<double>((i + 1) * (i + 1)));
    hamel::field::work w = f->make_work();
    const std::vector<double> z{1, 0};
    std::vector<double> j(4), row(f->columns()), series(2 * 6);
    CHECK(f->jacobian(w, 0, z, j) && j[2] == -9 && w.get(0) == 3);
    CHECK(f->values(w, 0.5, z, row) && row[0] == 0.5);
    CHECK(f->taylor(w, 0, z, 5, series) && series[4] == -4.5);
    CHECK(!f->taylor(w, 0, z, 6, series)); // no room
    CHECK(!f->rate(w, 0, std::vector<double>{1}, row) && f->parameters() == 1);
    CHECK(f->handle()->order > 5);
}

static void what_was_moved_away_answers() {
    hamel::context ctx;
    hamel_run run{};
    run.execute = "interpreted";
    hamel::field f = ctx.parse(spring).field(HAMEL_FIELD_ALL, run);
    hamel::field::work w = f.make_work();
    const hamel::field g = std::move(f);
    std::vector<double> z = g.start(), dz(2);
    CHECK(g.rate(w, 0, z, dz) && !f.rate(w, 0, z, dz) && f.size() == 0);
    std::optional<hamel::model> m = ctx.open("sleigh");
    hamel::model there = std::move(*m);
    CHECK(!m->handle() && m->names("coordinates").empty());
    CHECK(!thrown<hamel::error>([&] { m->derive(); }).empty());
    CHECK(!there.derive().empty());
    const hamel::field::work other = std::move(w);
    CHECK(!g.rate(w, 0, z, dz) && !w.set(0, 1) && std::isnan(w.get(0)));
    CHECK(other.get(0) == 3);
}

static void limits_end_calls() {
    hamel::context ctx;
    volatile int flag = 1;
    hamel_limits limits{};
    limits.interrupted = &flag;
    hamel::model m = ctx.open("rattleback");
    ctx.limit(limits);
    try {
        m.equations();
        CHECK(false);
    } catch (const hamel::error &e) {
        CHECK(e.status() == HAMEL_LIMIT);
        CHECK(std::string(e.what()).find("interrupted while") != std::string::npos);
    }
    CHECK(!thrown<hamel::error>([&] { m.trajectory(); }).empty()); // it is dead, and says so
}

int main() {
    names_and_texts();
    errors_have_status_and_words();
    trajectories_outlive_everything();
    a_run_that_stops_keeps_its_rows();
    rows_come_from_files_too();
    verdicts_and_equations();
    motions_run_and_listen();
    fields_are_for_threads();
    what_was_moved_away_answers();
    limits_end_calls();
    std::printf("%d checks\n", checks);
    return 0;
}
