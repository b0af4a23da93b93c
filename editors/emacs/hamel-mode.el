;;; hamel-mode.el --- Models of nonholonomic mechanics  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages

;;; Commentary:

;; Colours, indentation and layout (`hamel-format-buffer') for *.ham files; the language server
;; `hamel lsp' through eglot.

;;; Code:

(defgroup hamel nil "Models of hamel." :group 'languages)
(defcustom hamel-program "hamel" "The program hamel." :type 'string :group 'hamel)
(defcustom hamel-indent 2 "Columns of a block, and of a line that goes on." :type 'integer :group 'hamel)

;; words: tools/editor-words writes these
(defconst hamel-statements
  '("body" "cartesian" "claim" "collect" "const" "constraint" "contact" "coord" "dissipation"
    "draw" "event" "every" "for" "force" "function" "given" "gravity" "guess" "include"
    "independent" "initial" "input" "invariant" "kinetic" "lagrangian" "let" "observe"
    "orientation" "param" "point" "potential" "quasi" "roll" "samples" "simulate"
    "supplementary" "sweep" "system" "torque" "touch" "when")
  "The statements of the language.")
(defconst hamel-clauses
  '("against" "along" "as" "at" "box" "by" "classical" "column" "count" "curve" "disk" "down"
    "ellipsoid" "final" "first" "form" "friction" "from" "gap" "in" "inertia" "inside" "latin"
    "line" "linear" "mass" "max" "mean" "method" "min" "moving" "normal" "of" "on" "output"
    "place" "random" "restitution" "rotation" "seed" "sobol" "solution" "sphere" "stop"
    "tangent" "tol" "trail" "under" "uniform" "up" "with")
  "The clauses of the language.")
(defconst hamel-functions
  '("abs" "acc" "acos" "asin" "atan" "atan2" "cos" "cosh" "cross" "ddt" "delta" "diff" "dot"
    "exp" "frame" "inertia" "lambda" "log" "max" "min" "momentum" "norm" "omega" "pos" "prod"
    "quantity" "quat" "reaction" "rot" "sign" "sin" "sinh" "sqrt" "sum" "tan" "tanh"
    "transpose" "vel" "velat")
  "The functions of the language.")
(defconst hamel-constants
  '("e" "pi" "t")
  "The constants of the language.")
;; end of words

(defvar hamel-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?' "." table)
    (modify-syntax-entry ?_ "_" table)
    (dolist (mark '(?+ ?- ?* ?/ ?^ ?=)) (modify-syntax-entry mark "." table))
    table))

(defvar hamel-font-lock-keywords
  `((,(concat "\\(?:^\\|[{}]\\)\\s-*\\(" (regexp-opt hamel-statements) "\\)\\_>\\s-*\\(?:[^= \t]\\|$\\)") 1 font-lock-keyword-face)
    (,(concat "\\_<\\(" (regexp-opt hamel-functions) "\\)\\s-*(") 1 font-lock-function-name-face)
    (,(regexp-opt hamel-clauses 'symbols) . font-lock-type-face)
    (,(regexp-opt hamel-constants 'symbols) . font-lock-constant-face)
    ("\\([[:alpha:]][[:alnum:]_]*\\)\\('+\\)" (1 font-lock-variable-name-face) (2 font-lock-builtin-face))
    ("'+" . font-lock-builtin-face)
    ("\\_<[0-9]+\\(?:\\.[0-9]+\\)?\\(?:[eE][-+]?[0-9]+\\)?\\_>" . font-lock-constant-face)))

(defun hamel--goes-on-p ()
  "Does the line at point go on with the statement of the line above?"
  (save-excursion
    (beginning-of-line)
    (let ((state (syntax-ppss)))
      (or (and (nth 1 state) (memq (char-after (nth 1 state)) '(?\( ?\[)))
          (progn (forward-comment (- (point)))
                 (or (memq (char-before) '(?+ ?- ?* ?/ ?^ ?, ?= ?:))
                     (and (eq (char-before) ?.) (eq (char-before (1- (point))) ?.))))))))

(defun hamel--depth ()
  "How many blocks are open at the beginning of the line at point."
  (save-excursion
    (beginning-of-line)
    (let ((open (nth 9 (syntax-ppss))) (depth 0))
      (dolist (at open) (when (eq (char-after at) ?{) (setq depth (1+ depth))))
      (skip-chars-forward " \t")
      (if (and (eq (char-after) ?}) (> depth 0)) (1- depth) depth))))

(defun hamel-indent-line ()
  "Indent the line at point."
  (interactive)
  (let ((column (* hamel-indent (+ (hamel--depth) (if (hamel--goes-on-p) 1 0)))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

(defun hamel-format-buffer ()
  "Lay out the buffer with `hamel fmt'."
  (interactive)
  (let ((made (generate-new-buffer " *hamel fmt*")) (said (make-temp-file "hamel")))
    (unwind-protect
        (if (eq 0 (call-process-region nil nil hamel-program nil (list made said) nil "fmt" "-"))
            (replace-buffer-contents made)
          (message "%s" (with-temp-buffer (insert-file-contents said) (buffer-string))))
      (kill-buffer made)
      (delete-file said))))

;;;###autoload
(define-derived-mode hamel-mode prog-mode "hamel"
  "Models of nonholonomic mechanics."
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "#+\\s-*")
  (setq-local indent-tabs-mode nil)
  (setq-local indent-line-function #'hamel-indent-line)
  (setq-local font-lock-defaults '(hamel-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.ham\\'" . hamel-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs `(hamel-mode . (,hamel-program "lsp"))))

(provide 'hamel-mode)
;;; hamel-mode.el ends here
