// hamel.h for C++17: objects that release themselves, exceptions with the diagnostics, containers.
//
//     hamel::context ctx;
//     hamel::model m = ctx.open("sleigh");
//     hamel::trajectory run = m.trajectory({});
//     for (double x : run["x"]) std::cout << x << '\n';
//
// Objects can be moved, not copied, and destroyed in any order: models keep their context, results
// are on their own. Whatever hamel.h says of threads and lifetimes holds here. A call that fails
// throws hamel::error; what a run has computed before it stopped is not lost (trajectory::status()).
// This header needs nothing but hamel.h and the library behind it.
#ifndef HAMEL_HPP
#define HAMEL_HPP

#include "hamel.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hamel {

// --- errors --------------------------------------------------------------------------------------

// What a call that failed has to say: its status, and its diagnostics as what().
class error : public std::runtime_error {
  public:
    error(hamel_status status, const std::string &diagnostics)
        : std::runtime_error(diagnostics.empty() ? "hamel: the call failed" : diagnostics),
          status_(status) {}
    hamel_status status() const noexcept { return status_; }

  private:
    hamel_status status_;
};

namespace detail {

// A text that the library has allocated
inline std::string take(char *text) {
    const std::unique_ptr<char, void (*)(void *)> owner(text, hamel_free);
    return text ? std::string(text) : std::string();
}

inline void check(hamel_status status, const hamel_context *ctx) {
    if (status != HAMEL_OK) throw error(status, take(hamel_diagnostics(ctx)));
}

inline const char *or_null(const std::string &words) {
    return words.empty() ? nullptr : words.c_str();
}

inline std::string_view or_empty(const char *words) {
    return words ? std::string_view(words) : std::string_view();
}

template <class T, void (*release)(T *)> struct releaser {
    void operator()(T *p) const noexcept { release(p); }
};
template <class T, void (*release)(T *)> using owned = std::unique_ptr<T, releaser<T, release>>;

} // namespace detail

// Numbers that belong to somebody else: a column of a trajectory, a state.
template <class T> class span {
  public:
    span() noexcept = default;
    span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <class Container, class = decltype(std::declval<Container &>().data())>
    span(Container &&c) noexcept : data_(c.data()), size_(c.size()) {}
    T *data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    T *begin() const noexcept { return data_; }
    T *end() const noexcept { return data_ + size_; }
    T &operator[](std::size_t i) const noexcept { return data_[i]; }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

// --- trajectories --------------------------------------------------------------------------------

// Rows of a run, column by column. Columns are where the library has put them.
class trajectory {
  public:
    std::size_t rows() const noexcept { return hamel_trajectory_rows(own_.get()); }
    std::size_t columns() const noexcept { return hamel_trajectory_columns(own_.get()); }
    std::string_view name(std::size_t column) const noexcept {
        return detail::or_empty(hamel_trajectory_name(own_.get(), column));
    }
    std::string_view kind(std::size_t column) const noexcept {
        return detail::or_empty(hamel_trajectory_kind(own_.get(), column));
    }
    std::string_view unit(std::size_t column) const noexcept {
        return detail::or_empty(hamel_trajectory_unit(own_.get(), column));
    }
    // std::out_of_range where there is no such column
    span<const double> column(std::size_t index) const {
        if (index >= columns()) throw std::out_of_range("hamel: there is no such column");
        return {hamel_trajectory_column(own_.get(), index), rows()};
    }
    span<const double> operator[](const std::string &name) const {
        const std::size_t index = hamel_trajectory_find(own_.get(), name.c_str());
        if (index == SIZE_MAX) throw std::out_of_range("hamel: there is no column `" + name + "`");
        return column(index);
    }
    // What happened, in the order of time
    std::vector<hamel_happening> events() const {
        std::vector<hamel_happening> all;
        hamel_happening h;
        while (hamel_trajectory_event(own_.get(), all.size(), &h)) all.push_back(h);
        return all;
    }
    std::string_view summary(hamel_format format = HAMEL_TEXT) const noexcept {
        return detail::or_empty(hamel_trajectory_summary(own_.get(), format));
    }
    // HAMEL_OK, or how the run ended early, and what was said then
    hamel_status status() const noexcept { return status_; }
    const std::string &diagnostics() const noexcept { return said_; }

  private:
    friend class model;
    friend class context;
    trajectory(hamel_trajectory *own, hamel_status status, std::string said)
        : own_(own), status_(status), said_(std::move(said)) {}
    detail::owned<hamel_trajectory, hamel_trajectory_free> own_;
    hamel_status status_;
    std::string said_;
};

// --- verdicts ------------------------------------------------------------------------------------

// What was proved, refuted or left undecided, line by line.
class verdicts {
  public:
    std::size_t size() const noexcept { return hamel_verdicts_count(own_.get()); }
    hamel_verdict operator[](std::size_t index) const {
        hamel_verdict v;
        if (!hamel_verdicts_at(own_.get(), index, &v))
            throw std::out_of_range("hamel: there is no such verdict");
        return v;
    }
    // HAMEL_OK, HAMEL_REFUTED or HAMEL_UNDECIDED
    hamel_status status() const noexcept { return status_; }

  private:
    friend class model;
    verdicts(hamel_verdicts *own, hamel_status status) : own_(own), status_(status) {}
    detail::owned<hamel_verdicts, hamel_verdicts_free> own_;
    hamel_status status_;
};

// --- equations -----------------------------------------------------------------------------------

// Equations of one form as nodes, each made of nodes before it.
class equations {
  public:
    std::string_view form() const noexcept {
        return detail::or_empty(hamel_equations_form(own_.get()));
    }
    std::size_t nodes() const noexcept { return hamel_equations_nodes(own_.get()); }
    hamel_node node(hamel_expr e) const {
        hamel_node n;
        if (!hamel_equations_node(own_.get(), e, &n))
            throw std::out_of_range("hamel: there is no such node");
        return n;
    }
    std::vector<hamel_expr> part(hamel_part p) const {
        std::vector<hamel_expr> all(hamel_equations_count(own_.get(), p));
        for (std::size_t i = 0; i < all.size(); i++) all[i] = hamel_equations_at(own_.get(), p, i);
        return all;
    }
    std::string_view name(hamel_part p, std::size_t index) const noexcept {
        return detail::or_empty(hamel_equations_name(own_.get(), p, index));
    }
    std::string text(hamel_expr e, hamel_format format = HAMEL_TEXT) const {
        return detail::take(hamel_equations_text(own_.get(), e, format));
    }

  private:
    friend class model;
    explicit equations(hamel_equations *own) : own_(own) {}
    detail::owned<hamel_equations, hamel_equations_free> own_;
};

// --- fields --------------------------------------------------------------------------------------

// z' = f(t, z) as functions to call, from several threads, each with a work area of its own.
class field {
  public:
    // What one thread needs; it keeps the field
    class work {
      public:
        bool set(std::size_t parameter, double value) noexcept {
            return hamel_field_set(own_.get(), parameter, value) != 0;
        }
        double get(std::size_t parameter) const noexcept {
            return hamel_field_get(own_.get(), parameter);
        }

      private:
        friend class field;
        explicit work(void *own) : own_(own) {}
        detail::owned<void, hamel_field_work_free> own_;
    };

    std::size_t size() const noexcept { return own_ ? own_->size : 0; }
    std::size_t columns() const noexcept { return own_ ? own_->columns : 0; }
    std::size_t parameters() const noexcept { return own_ ? own_->parameters : 0; }
    const hamel_field *handle() const noexcept { return own_.get(); }
    std::string_view name(hamel_motion_kind kind, std::size_t index) const noexcept {
        return detail::or_empty(hamel_field_name(own_.get(), kind, index));
    }
    // The state at the start, and t there
    std::vector<double> start(double *t = nullptr) const {
        std::vector<double> z(size());
        hamel_field_start(own_.get(), t, z.data());
        return z;
    }
    work make_work() const {
        void *made = hamel_field_work(own_.get());
        if (!made) throw std::bad_alloc();
        return work(made);
    }
    // Each is false where a number is not finite, or the field was made without it. What it writes
    // to has room for it: size(), size()^2, columns(), (order + 1) size() numbers.
    bool rate(work &w, double t, span<const double> z, span<double> dz) const noexcept {
        return own_ && own_->rate && fits(z, size(), dz, size()) &&
               own_->rate(own_.get(), w.own_.get(), t, z.data(), dz.data());
    }
    bool jacobian(work &w, double t, span<const double> z, span<double> out) const noexcept {
        return own_ && own_->jacobian && fits(z, size(), out, size() * size()) &&
               own_->jacobian(own_.get(), w.own_.get(), t, z.data(), out.data());
    }
    bool values(work &w, double t, span<const double> z, span<double> row) const noexcept {
        return own_ && own_->values && fits(z, size(), row, columns()) &&
               own_->values(own_.get(), w.own_.get(), t, z.data(), row.data());
    }
    bool taylor(work &w, double t, span<const double> z, unsigned order,
                span<double> out) const noexcept {
        return own_ && own_->taylor && fits(z, size(), out, (order + std::size_t{1}) * size()) &&
               own_->taylor(own_.get(), w.own_.get(), t, z.data(), order, out.data());
    }

  private:
    friend class model;
    friend class motion;
    explicit field(hamel_field *own) : own_(own) {}
    static bool fits(span<const double> in, std::size_t least_in, span<double> out,
                     std::size_t least_out) noexcept {
        return in.size() >= least_in && out.size() >= least_out;
    }
    detail::owned<hamel_field, hamel_field_free> own_;
};

// --- motions -------------------------------------------------------------------------------------

// A model made ready to run many times; for one thread at a time.
class motion {
  public:
    // Called at each event; true ends the run. What it throws comes out of run().
    using listener =
        std::function<bool(std::size_t which, double t, int direction, span<const double> row)>;

    motion copy() const {
        hamel_motion *made = nullptr;
        check(hamel_motion_copy(own_.get(), &made));
        return motion(made);
    }
    std::size_t count(hamel_motion_kind kind) const noexcept {
        return hamel_motion_count(own_.get(), kind);
    }
    std::string_view name(hamel_motion_kind kind, std::size_t index) const noexcept {
        return detail::or_empty(hamel_motion_name(own_.get(), kind, index));
    }
    // A parameter or an input, from the next start on
    void set(const std::string &parameter, double value) {
        check(hamel_motion_set(own_.get(), parameter.c_str(), value));
    }
    double get(std::size_t parameter) const noexcept {
        return hamel_motion_get(own_.get(), parameter);
    }
    void start() { check(hamel_motion_start(own_.get(), 0, nullptr)); }
    void start(double t, span<const double> z) {
        need(z.size(), HAMEL_STATE);
        check(hamel_motion_start(own_.get(), t, z.data()));
    }
    void start_at(const std::string &at) { check(hamel_motion_start_at(own_.get(), at.c_str())); }
    // A listener may call it, too: for the next event.
    void on_event(listener happened) {
        if (!happened_) throw std::logic_error("hamel: the motion was moved away");
        const bool is_some = static_cast<bool>(happened);
        happened_->happened = std::make_shared<const listener>(std::move(happened));
        check(hamel_motion_on_event(own_.get(), is_some ? tell : nullptr, happened_.get()));
    }
    // To the time `until`, with rows at these times, one behind the other in `rows`
    hamel_outcome run(double until, span<const double> times = {}, span<double> rows = {}) {
        if (rows.size() < times.size() * count(HAMEL_COLUMN))
            throw std::invalid_argument("hamel: there is no room for the rows");
        return finish(until, times.data(), times.size(), rows.data());
    }
    // One step of the method, but not beyond `until`
    hamel_outcome step(double until) { return finish(until, nullptr, 1, nullptr); }
    std::vector<double> now(double *t = nullptr) {
        std::vector<double> z(count(HAMEL_STATE));
        check(hamel_motion_now(own_.get(), t, z.data(), nullptr));
        return z;
    }
    std::vector<double> row() {
        std::vector<double> all(count(HAMEL_COLUMN));
        check(hamel_motion_now(own_.get(), nullptr, nullptr, all.data()));
        return all;
    }
    hamel::field field(unsigned what = HAMEL_FIELD_ALL) const {
        hamel_field *made = nullptr;
        check(hamel_motion_field(own_.get(), what, &made));
        return hamel::field(made);
    }

  private:
    friend class model;
    struct told {
        std::shared_ptr<const listener> happened;
        std::exception_ptr thrown;
        std::size_t columns = 0;
    };
    explicit motion(hamel_motion *own) : own_(own), happened_(std::make_unique<told>()) {}
    void check(hamel_status status) const {
        detail::check(status, hamel_motion_context(own_.get()));
    }
    void need(std::size_t size, hamel_motion_kind kind) const {
        if (size < count(kind)) throw std::invalid_argument("hamel: too few numbers for a state");
    }
    // No exception passes through the library.
    static int tell(void *data, std::size_t which, double t, int direction, const double *row) {
        told *w = static_cast<told *>(data);
        try {
            const std::shared_ptr<const listener> now = w->happened; // it may set another
            return (*now)(which, t, direction, {row, w->columns}) ? 1 : 0;
        } catch (...) {
            w->thrown = std::current_exception();
            return 1;
        }
    }
    hamel_outcome finish(double until, const double *times, std::size_t number, double *rows) {
        hamel_outcome outcome;
        told *const told_here = happened_.get(); // a listener may move this object
        hamel_motion *const own = own_.get();
        if (!told_here) throw std::logic_error("hamel: the motion was moved away");
        told_here->columns = count(HAMEL_COLUMN);
        const hamel_status status = hamel_motion_run(own, until, times, number, rows, &outcome);
        if (told_here->thrown) std::rethrow_exception(std::exchange(told_here->thrown, nullptr));
        detail::check(status, hamel_motion_context(own));
        return outcome;
    }
    detail::owned<hamel_motion, hamel_motion_free> own_;
    std::unique_ptr<told> happened_; // where the library finds it, wherever this object moves
};

// --- models --------------------------------------------------------------------------------------

class model {
  public:
    model(model &&) noexcept = default;
    model &operator=(model &&) noexcept = default;
    model(const model &) = delete;
    model &operator=(const model &) = delete;

    std::string_view name() const noexcept {
        return detail::or_empty(hamel_model_name(own_.get()));
    }
    std::string_view title() const noexcept {
        return detail::or_empty(hamel_model_title(own_.get()));
    }
    // What it has of a kind, "coordinates", "parameters" ..
    std::vector<std::string> names(const std::string &kind) const {
        std::vector<std::string> all;
        while (const char *next = hamel_model_listed(own_.get(), kind.c_str(), all.size()))
            all.emplace_back(next);
        return all;
    }
    std::string_view unit(const std::string &what) const noexcept {
        return detail::or_empty(hamel_model_unit(own_.get(), what.c_str()));
    }
    // NaN where it has none
    double value(const std::string &parameter) const noexcept {
        double found = NAN;
        hamel_model_value(own_.get(), parameter.c_str(), &found);
        return found;
    }

    std::string check(hamel_format format = HAMEL_TEXT, unsigned flags = 0) {
        return text([&](char **out) { return hamel_model_check(own_.get(), format, flags, out); });
    }
    std::string describe(hamel_format format = HAMEL_TEXT) {
        return text([&](char **out) { return hamel_model_describe(own_.get(), format, out); });
    }
    // Forms by their ids, with commas between; none: the usual one
    std::string derive(const std::string &forms = {}, hamel_format format = HAMEL_TEXT,
                       unsigned flags = 0) {
        return text([&](char **out) {
            return hamel_model_derive(own_.get(), detail::or_null(forms), format, flags, out);
        });
    }
    std::string evaluate(const std::string &form = {}, const std::string &at = {},
                         unsigned digits = 16, hamel_format format = HAMEL_TEXT) {
        return text([&](char **out) {
            return hamel_model_evaluate(own_.get(), detail::or_null(form), detail::or_null(at),
                                        digits, format, out);
        });
    }

    hamel::trajectory trajectory(const hamel_run &run = hamel_run{}) {
        hamel_trajectory *made = nullptr;
        forget();
        const hamel_status status = hamel_model_trajectory(own_.get(), &run, &made);
        if (!made) detail::check(status ? status : HAMEL_LIMIT, ctx_.get());
        return hamel::trajectory(made, status, said());
    }
    hamel::verdicts judge(const std::string &forms = "all", bool certify = false,
                          unsigned long long seed = 0) {
        hamel_verdicts *made = nullptr;
        forget();
        const hamel_status status =
            hamel_model_judge(own_.get(), forms.c_str(), certify, seed, &made);
        if (!made) detail::check(status ? status : HAMEL_LIMIT, ctx_.get());
        return hamel::verdicts(made, status);
    }
    hamel::equations equations(const std::string &form = {}) {
        hamel_equations *made = nullptr;
        forget();
        detail::check(hamel_model_equations(own_.get(), detail::or_null(form), &made), ctx_.get());
        return hamel::equations(made);
    }
    hamel::motion prepare(const hamel_run &run = hamel_run{}) {
        hamel_motion *made = nullptr;
        forget();
        detail::check(hamel_model_prepare(own_.get(), &run, &made), ctx_.get());
        return hamel::motion(made);
    }
    hamel::field field(unsigned what = HAMEL_FIELD_ALL, const hamel_run &run = hamel_run{}) {
        hamel_field *made = nullptr;
        forget();
        detail::check(hamel_model_field(own_.get(), &run, what, &made), ctx_.get());
        return hamel::field(made);
    }
    // For the calls of hamel.h that have no method here; it lives as long as this object.
    hamel_model *handle() const noexcept { return own_.get(); }

  private:
    friend class context;
    model(std::shared_ptr<hamel_context> ctx, hamel_model *own)
        : ctx_(std::move(ctx)), own_(ctx_, own) {}
    void forget() const noexcept { hamel_diagnostics_forget(ctx_.get()); }
    std::string said() const { return detail::take(hamel_diagnostics(ctx_.get())); }
    template <class Call> std::string text(Call call) {
        char *result = nullptr;
        forget();
        const hamel_status status = call(&result);
        std::string words = detail::take(result);
        detail::check(status, ctx_.get());
        return words;
    }
    std::shared_ptr<hamel_context> ctx_;
    std::shared_ptr<hamel_model> own_; // its context's
};

// --- contexts ------------------------------------------------------------------------------------

// What models are read into; for one thread at a time, and another one for each thread.
class context {
  public:
    context() : own_(hamel_context_create(), hamel_context_destroy) {
        if (!own_) throw std::bad_alloc();
    }
    context(context &&) noexcept = default;
    context &operator=(context &&) noexcept = default;
    context(const context &) = delete;
    context &operator=(const context &) = delete;

    // "N=10", for every model that is read afterwards
    void set(const std::string &assignment) {
        hamel_diagnostics_forget(own_.get());
        detail::check(hamel_context_set(own_.get(), assignment.c_str()), own_.get());
    }
    void limit(const hamel_limits &limits) {
        hamel_diagnostics_forget(own_.get());
        detail::check(hamel_context_limit(own_.get(), &limits), own_.get());
    }
    model open(const std::string &name) {
        hamel_model *made = nullptr;
        hamel_diagnostics_forget(own_.get());
        detail::check(hamel_model_open(own_.get(), name.c_str(), &made), own_.get());
        return model(own_, made);
    }
    model parse(std::string_view text, const std::string &name = "model") {
        hamel_model *made = nullptr;
        hamel_diagnostics_forget(own_.get());
        detail::check(hamel_model_parse(own_.get(), name.c_str(), text.data(), text.size(), &made),
                      own_.get());
        return model(own_, made);
    }
    // Rows of a .csv or .h5 file
    hamel::trajectory read(const std::string &file) {
        hamel_trajectory *made = nullptr;
        hamel_diagnostics_forget(own_.get());
        detail::check(hamel_file_trajectory(own_.get(), file.c_str(), &made), own_.get());
        return hamel::trajectory(made, HAMEL_OK, {});
    }
    std::string diagnostics() const { return detail::take(hamel_diagnostics(own_.get())); }
    hamel_context *handle() const noexcept { return own_.get(); }

  private:
    std::shared_ptr<hamel_context> own_;
};

} // namespace hamel

#endif
