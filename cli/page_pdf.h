// A page as PDF, made by a browser that is there: chromium, or weasyprint, which runs no scripts
// (no plots, no animation). `report -o FILE.pdf` is the only caller.
#ifndef HAMEL_CLI_PAGE_PDF_H
#define HAMEL_CLI_PAGE_PDF_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *bytes; // the caller's, to be freed; NULL: there is no PDF
    size_t size;
    bool no_program; // .. because nobody is there who could make it
    char why[200];   // .. else
} page_pdf;

page_pdf page_print(const char *html);

#endif
