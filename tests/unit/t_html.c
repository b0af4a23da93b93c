// Text of others inside a page.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/html.h"
#include "base/utf8.h"

static void becomes(void (*write)(const char *, text *), const char *given, const char *wanted) {
    text out = {0};
    write(given, &out);
    assert_string_equal(text_string(&out), wanted);
    text_free(&out);
}

static void markup_is_text(void **state) {
    (void)state;
    becomes(html_text, "</script><b>", "&lt;/script&gt;&lt;b&gt;");
    becomes(html_text, "a & \"b\" 'c'", "a &amp; &quot;b&quot; &#39;c&#39;");
    becomes(html_text, "θ → \n\t", "θ → \n\t");
}

static void what_no_page_may_hold_is_replaced(void **state) {
    (void)state;
    becomes(html_text,
            "a\x01"
            "b\x7F",
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
    becomes(html_text, "\xC3(\xFF\xED\xA0\x80",
            "\xEF\xBF\xBD(\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    becomes(html_text, "\xEF\xBF\xBE", "\xEF\xBF\xBD"); // U+FFFE
    text out = {0};
    html_text_n("a\0b", 3, &out);
    assert_string_equal(text_string(&out), "a\xEF\xBF\xBD"
                                           "b");
    text_free(&out);
}

static void json_cannot_end_its_script(void **state) {
    (void)state;
    becomes(html_json, "{\"a\":\"</script><!--\"}", "{\"a\":\"\\u003c/script>\\u003c!--\"}");
    becomes(html_json, "\"\xE2\x80\xA8\xE2\x80\xA9\"", "\"\\u2028\\u2029\"");
}

// Random bytes: what comes out is UTF-8, holds no mark of HTML but references, and says the same
// again when it is read back as UTF-8.
static void random_bytes_are_safe(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 2000; trial++) {
        char bytes[40];
        static const char likely[] = "<>&\"'/-!\xE2\x80\xA8";
        for (size_t i = 0; i < sizeof bytes; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            bytes[i] = seed >> 63 ? (char)(seed >> 33) : likely[(seed >> 33) % (sizeof likely - 1)];
        }
        text out = {0};
        html_text_n(bytes, sizeof bytes, &out);
        assert_null(strpbrk(out.bytes, "<>\"'"));
        for (const char *at = out.bytes; (at = strchr(at, '&')); at++)
            assert_in_range(strcspn(at, ";"), 3, 5);
        for (size_t i = 0; i < out.length;) {
            uint32_t code, size = utf8_decode(out.bytes + i, out.length - i, &code);
            assert_in_range(size, 1, 4);
            i += size;
        }
        text_free(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_is_text), cmocka_unit_test(what_no_page_may_hold_is_replaced),
        cmocka_unit_test(json_cannot_end_its_script), cmocka_unit_test(random_bytes_are_safe)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
