// The page in a folder of its own, printed there by another program and read back; then the folder
// goes.
#include "page_pdf.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 16, NOT_FOUND = 127, LONGEST = PATH_MAX + 64 };

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where) {
    (void)about, (void)kind, (void)where;
    return remove(path);
}

static void remove_folder(const char *folder) {
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

// Runs a program, in silence, to its end; its exit status, NOT_FOUND where it is not there. Ctrl-C
// ends the program, and leaves this one to remove the folder.
static int run_program(const char *const *words) {
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGINT, &ignore, &before);
    const pid_t child = fork();
    if (!child) {
        const int nothing = open("/dev/null", O_RDWR);
        sigaction(SIGINT, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        for (int i = 0; i < 3; i++) dup2(nothing, i);
        execvp(words[0], (char *const *)words);
        _exit(NOT_FOUND);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    sigaction(SIGINT, &before, NULL);
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool write_page(const char *file, const char *html) {
    FILE *out = fopen(file, "wx");
    if (!out) return false;
    const bool good = fputs(html, out) >= 0;
    return fclose(out) == 0 && good;
}

// The whole of a file that is a PDF from its beginning to its end
static void read_pdf(const char *file, page_pdf *out) {
    FILE *in = fopen(file, "rb");
    struct stat about;
    if (!in) return;
    if (fstat(fileno(in), &about) == 0 && about.st_size > 16) {
        const size_t size = (size_t)about.st_size;
        char *bytes = malloc(size + 1);
        const bool whole = bytes && fread(bytes, 1, size, in) == size && bytes[0] == '%';
        if (bytes) bytes[size] = 0;
        if (whole && strncmp(bytes, "%PDF-", 5) == 0 && strstr(bytes + size - 16, "%%EOF"))
            out->bytes = bytes, out->size = size;
        else free(bytes);
    }
    fclose(in);
}

// By chromium, under one of its names, else by weasyprint; the name of the one that was there
static const char *print_in(const char *folder) {
    static const char *const browsers[] = {"chromium", "chromium-browser", "google-chrome"};
    static char profile[LONGEST], target[LONGEST], page[LONGEST], pdf[LONGEST], address[LONGEST];
    snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", folder);
    snprintf(target, sizeof target, "--print-to-pdf=%s/page.pdf", folder);
    snprintf(address, sizeof address, "file://%s/page.html", folder);
    snprintf(page, sizeof page, "%s/page.html", folder);
    snprintf(pdf, sizeof pdf, "%s/page.pdf", folder);
    for (size_t i = 0; i < sizeof browsers / sizeof *browsers; i++) {
        const char *words[MOST_WORDS] = {browsers[i],
                                         "--headless",
                                         "--disable-gpu",
                                         profile,
                                         "--no-pdf-header-footer",
                                         "--virtual-time-budget=10000",
                                         target,
                                         address};
        // the page is our own, and root has no sandbox
        if (geteuid() == 0) words[8] = "--no-sandbox";
        if (run_program(words) != NOT_FOUND) return browsers[i];
    }
    return run_program((const char *[]){"weasyprint", page, pdf, NULL}) != NOT_FOUND ? "weasyprint"
                                                                                     : NULL;
}

page_pdf page_print(const char *html) {
    page_pdf made = {0};
    const char *temporary = getenv("TMPDIR");
    char folder[PATH_MAX], page[LONGEST], pdf[LONGEST];
    if (!temporary || *temporary != '/') temporary = "/tmp";
    const int length = snprintf(folder, sizeof folder, "%s/hamel-XXXXXX", temporary);
    if (length >= (int)sizeof folder || !mkdtemp(folder)) {
        snprintf(made.why, sizeof made.why, "no folder in %.100s: %s", temporary, strerror(errno));
        return made;
    }
    snprintf(page, sizeof page, "%s/page.html", folder);
    snprintf(pdf, sizeof pdf, "%s/page.pdf", folder);
    if (!write_page(page, html)) {
        snprintf(made.why, sizeof made.why, "the page: %s", strerror(errno));
    } else {
        const char *by = print_in(folder);
        made.no_program = !by;
        read_pdf(pdf, &made);
        if (by && !made.bytes) snprintf(made.why, sizeof made.why, "%s made no PDF", by);
    }
    remove_folder(folder);
    return made;
}
