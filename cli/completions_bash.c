// Completions for bash: lists of words, one table of what may stand where, one function that looks.
#include "completions.h"

static void write_words(value_kind kind, const char *const *choices, FILE *out) {
    const char *word;
    for (size_t i = 0; (word = kind_choice(kind, choices, i, NULL)); i++)
        fprintf(out, "%s%s", i ? " " : "", word);
}

static void write_lists(FILE *out) {
    for (value_kind kind = next_known_kind(VALUE_NONE); kind;
         kind = next_known_kind((value_kind)(kind + 1))) {
        fprintf(out, "_hamel_%s='", kind_of(kind)->id);
        write_words(kind, NULL, out);
        fputs("'\n", out);
    }
}

// What to do at a place: words=.. commas=yes files=ENDINGS or folders=yes.
static void write_offer(const offer *o, FILE *out) {
    const kind_properties *k = kind_of(o->kind);
    if (o->choices) {
        fputs(" words='", out);
        write_words(o->kind, o->choices, out);
        putc('\'', out);
    } else if (k->id) {
        fprintf(out, " words=$_hamel_%s", k->id);
    }
    if (k->commas) fputs(" commas=yes", out);
    if (k->files) fprintf(out, " files='%s'", o->endings ? o->endings : "any");
    if (k->folders) fputs(" folders=yes", out);
    fputs(" ;;\n", out);
}

static void write_option_names(const command *c, bool with_value, FILE *out) {
    bool first = true;
    for (const option *const *o = c->options; o && *o; o++) {
        if (with_value && !option_takes_value(*o)) continue;
        fprintf(out, "%s%s", first ? "" : " ", (*o)->name);
        if ((*o)->letter) fprintf(out, " %s", (*o)->letter);
        first = false;
    }
}

static void write_command(const command *c, FILE *out) {
    fprintf(out, "    '%s options') words='", c->name);
    write_option_names(c, false, out);
    fprintf(out, "%s--help' ;;\n    '%s valued') words='", c->options ? " " : "", c->name);
    write_option_names(c, true, out);
    fputs("' ;;\n", out);
    for (const option *const *o = c->options; o && *o; o++) {
        if (!option_takes_value(*o)) continue;
        const offer place = offer_of_option(*o);
        fprintf(out, "    '%s %s'", c->name, (*o)->name);
        if ((*o)->letter) fprintf(out, " | '%s %s'", c->name, (*o)->letter);
        putc(')', out);
        write_offer(&place, out);
    }
    for (int i = 0; i < MOST_OPERANDS && c->operands[i].name; i++) {
        const offer place = offer_of_operand(&c->operands[i]);
        fprintf(out, "    '%s '%s%d%s)", c->name, c->operands[i].repeats ? "[" : "", i + 1,
                c->operands[i].repeats ? "-9]*" : "");
        write_offer(&place, out);
    }
}

static const char head[] = "# Completions of hamel for bash, made by `hamel completions bash`.\n\n";

static const char body[] =
    "# Sets completions of $cur out of words, commas, files, folders.\n"
    "_hamel_reply() {\n"
    "    local before= word\n"
    "    [[ $commas && $cur == *,* ]] && before=${cur%,*},\n"
    "    COMPREPLY=($(compgen -P \"$before\" -W \"$words\" -- \"${cur#\"$before\"}\"))\n"
    "    [[ $folders ]] && while IFS= read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -d "
    "-- \"$cur\")\n"
    "    [[ $files ]] && while IFS= read -r word; do\n"
    "        [[ $files == any || -d $word || \" $files \" == *\" ${word##*.} \"* ]] && "
    "COMPREPLY+=(\"$word\")\n"
    "    done < <(compgen -f -- \"$cur\")\n"
    "    [[ $files$folders ]] && compopt -o filenames 2>/dev/null\n"
    "    [[ $commas ]] && compopt -o nospace 2>/dev/null\n"
    "    return 0\n"
    "}\n\n"
    "_hamel() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} "
    "command=${COMP_WORDS[1]}\n"
    "    local words= commas= files= folders= valued place=1 i\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        words=\"$_hamel_command --help --version\"\n"
    "        _hamel_reply\n"
    "        return\n"
    "    fi\n"
    "    # --name=value comes as three words\n"
    "    if [[ $cur == = ]]; then cur=; elif [[ $previous == = ]]; then "
    "previous=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
    "    _hamel_offer \"$command\" valued\n"
    "    valued=\" $words \" words=\n"
    "    if [[ $valued == *\" $previous \"* ]]; then\n"
    "        _hamel_offer \"$command\" \"$previous\"\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        _hamel_offer \"$command\" options\n"
    "    else\n"
    "        for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "            if [[ $valued == *\" ${COMP_WORDS[i]} \"* ]]; then\n"
    "                [[ ${COMP_WORDS[i + 1]} == = ]] && ((i++))\n"
    "                ((i++))\n"
    "            elif [[ ${COMP_WORDS[i]} != -?* ]]; then\n"
    "                ((place++))\n"
    "            fi\n"
    "        done\n"
    "        _hamel_offer \"$command\" \"$place\"\n"
    "    fi\n"
    "    _hamel_reply\n"
    "}\n\n"
    "complete -F _hamel hamel\n";

void write_bash_completions(FILE *out) {
    fputs(head, out);
    write_lists(out);
    fputs("\n# What may stand behind an option of a command (`derive --form`), or as its first, "
          "second .. argument.\n"
          "_hamel_offer() {\n    case \"$1 $2\" in\n",
          out);
    for (int i = 0; commands[i]; i++) write_command(commands[i], out);
    fputs("    esac\n}\n\n", out);
    fputs(body, out);
}
