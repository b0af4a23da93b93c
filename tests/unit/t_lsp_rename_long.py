#!/usr/bin/python3
"""New names for every name of every library model."""
import t_lsp_rename

if __name__ == "__main__":
    t_lsp_rename.main(None, None)
