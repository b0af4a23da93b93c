autocmd BufRead,BufNewFile *.ham setfiletype hamel
