" Two columns for each block, and two for a line that goes on from the one above
if exists("b:did_indent")
  finish
endif
let b:did_indent = 1

setlocal indentexpr=HamelIndent(v:lnum) indentkeys=0},!^F,o,O nosmartindent
let b:undo_indent = "setlocal indentexpr< indentkeys< smartindent<"

if exists("*HamelIndent")
  finish
endif

" The line without its comment and strings
function! s:Code(line)
  return substitute(substitute(getline(a:line), '"[^"]*"\?', '', 'g'), '#.*', '', '')
endfunction

function! s:Count(text, mark)
  return len(split(a:text, '\V' . a:mark, 1)) - 1
endfunction

" Does the line below this one go on with the same statement?
function! s:GoesOn(line)
  let open = 0
  let from = a:line
  while from > 1 && s:Code(from - 1) =~ '\%([-+*/^,=:(\[]\|\.\.\)\s*$'
    let from -= 1
  endwhile
  for number in range(from, a:line)
    let code = s:Code(number)
    let open += s:Count(code, '(') + s:Count(code, '[') - s:Count(code, ')') - s:Count(code, ']')
  endfor
  return open > 0 || s:Code(a:line) =~ '\%([-+*/^,=:]\|\.\.\)\s*$'
endfunction

function! HamelIndent(line)
  let depth = 0
  for number in range(1, a:line - 1)
    let code = s:Code(number)
    let depth += s:Count(code, '{') - s:Count(code, '}')
  endfor
  if getline(a:line) =~ '^\s*}'
    let depth -= 1
  endif
  let before = prevnonblank(a:line - 1)
  return shiftwidth() * (max([depth, 0]) + (before && s:GoesOn(before) ? 1 : 0))
endfunction
