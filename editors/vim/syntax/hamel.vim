" Models of hamel
if exists("b:current_syntax")
  finish
endif
syntax case match

" words: tools/editor-words writes these
syntax match hamelStatement /\%(^\s*\|[{}]\s*\)\zs\%(body\|cartesian\|claim\|collect\|const\|constraint\|contact\|coord\|dissipation\|draw\)\>\ze\%(\s\|(\)\@=\%(\s*=\)\@!/
syntax match hamelStatement /\%(^\s*\|[{}]\s*\)\zs\%(event\|every\|for\|force\|function\|given\|gravity\|guess\|include\|independent\|initial\)\>\ze\%(\s\|(\)\@=\%(\s*=\)\@!/
syntax match hamelStatement /\%(^\s*\|[{}]\s*\)\zs\%(input\|invariant\|kinetic\|lagrangian\|let\|observe\|orientation\|param\|point\|potential\)\>\ze\%(\s\|(\)\@=\%(\s*=\)\@!/
syntax match hamelStatement /\%(^\s*\|[{}]\s*\)\zs\%(quasi\|roll\|samples\|simulate\|supplementary\|sweep\|system\|torque\|touch\|when\)\>\ze\%(\s\|(\)\@=\%(\s*=\)\@!/
syntax keyword hamelClause against along as at box by classical column count curve disk down ellipsoid final first
syntax keyword hamelClause form friction from gap in inertia inside latin line linear mass max mean method min moving
syntax keyword hamelClause normal of on output place random restitution rotation seed sobol solution sphere stop
syntax keyword hamelClause tangent tol trail under uniform up with
syntax match hamelFunction /\<\%(abs\|acc\|acos\|asin\|atan\|atan2\|cos\|cosh\|cross\|ddt\|delta\|diff\|dot\|exp\|frame\|inertia\)\ze\s*(/
syntax match hamelFunction /\<\%(lambda\|log\|max\|min\|momentum\|norm\|omega\|pos\|prod\|quantity\|quat\|reaction\|rot\|sign\)\ze\s*(/
syntax match hamelFunction /\<\%(sin\|sinh\|sqrt\|sum\|tan\|tanh\|transpose\|vel\|velat\)\ze\s*(/
syntax keyword hamelConstant e pi t
" end of words

syntax match hamelNumber /\<\d\+\%(\.\d\+\)\?\%([eE][+-]\?\d\+\)\?\>/
syntax match hamelDerivative /'\+/
syntax match hamelOperator /[-+*\/^=]\|\.\./
syntax region hamelString start=/"/ end=/"/ end=/$/ oneline
syntax match hamelComment /#.*$/ contains=@Spell

highlight default link hamelStatement Statement
highlight default link hamelClause Type
highlight default link hamelFunction Function
highlight default link hamelConstant Constant
highlight default link hamelNumber Number
highlight default link hamelDerivative Special
highlight default link hamelOperator Operator
highlight default link hamelString String
highlight default link hamelComment Comment

let b:current_syntax = "hamel"
