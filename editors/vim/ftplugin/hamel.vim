" Models of hamel: comments, layout by `hamel fmt`, checks by `hamel check`
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:# commentstring=#\ %s
setlocal expandtab shiftwidth=2 softtabstop=2
setlocal iskeyword=@,48-57,_
setlocal formatprg=hamel\ fmt\ -
setlocal makeprg=hamel\ check\ %:S
setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%-G%.%#

let b:undo_ftplugin = "setlocal comments< commentstring< expandtab< shiftwidth< softtabstop< iskeyword< formatprg< makeprg< errorformat<"
