#!/usr/bin/python3
"""100,000 messages by chance to `hamel lsp`."""
import t_lsp_fuzz

if __name__ == "__main__":
    t_lsp_fuzz.main(100000, 2)
