// Script and style of the page: no script, and a style that can be read.
#include "report/assets.h"

const char page_script[] = "";
const size_t page_script_size = sizeof page_script - 1;

const char page_style[] =
    "body{font:16px/1.5 serif;margin:0 auto;max-width:60rem;padding:0 1rem}\n"
    "math[display=block]{margin:0;font-size:115%}\n"
    "Gyre\",math}math[display=block]{margin:0;font-size:115%}\n"
    "pre.source{overflow-x:auto;background:#f6f6f2;padding:1rem}\n"
    ".keyword{color:#05a}.number{color:#074}.comment{color:#777;font-style:italic}.string{color:#a50}.operator{color:#"
    "555}\n"
    "table{border-collapse:collapse}td,th{padding:.2rem .7rem .2rem 0;text-align:left;vertical-align:top}\n"
    ".equation{display:flex;align-items:center;gap:1rem}\n"
    ".equation math{margin:0;min-width:0;overflow-x:auto;overflow-y:hidden;padding:.4rem 0}\n"
    ".table{overflow-x:auto}.verdicts,.constraints{table-layout:fixed;width:100%}.more>td{padding-bottom:.8rem}\n"
    ".mark{width:1.1em;height:1.1em;vertical-align:-.15em}\n"
    ".proved .mark{color:#17774f}.refuted .mark{color:#b3261e}.undecided .mark{color:#8a6100}\n"
    ".facts .label{font-variant:small-caps;margin-right:.5em}\n";
const size_t page_style_size = sizeof page_style - 1;
