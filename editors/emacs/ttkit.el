;;; ttkit.el --- Triton's IR with tt-lsp -*- lexical-binding: t; -*-

;; In Emacs 29 and later, or 28 with the package eglot: (load "ttkit.el"), then M-x eglot in a file, or the hook below starts it.

(require 'eglot)

(defvar ttkit-font-lock
  '(("//.*$" . font-lock-comment-face)
    ("@[[:alnum:]_$.-]+" . font-lock-function-name-face)
    ("%[[:alnum:]_$.#-]+" . font-lock-variable-name-face)
    ("[#!][[:alnum:]_$.]+" . font-lock-type-face)
    ("\\_<\\(?:tensor\\|memref\\|vector\\|index\\|i[0-9]+\\|bf16\\|f16\\|f32\\|f64\\)\\_>" . font-lock-type-face)
    ("\\_<[a-z_]+\\.[a-z_.0-9]+\\_>" . font-lock-keyword-face))
  "Highlighting of `ttkit-mode'.")

(define-derived-mode ttkit-mode prog-mode "Triton IR"
  "Mode for Triton's IR."
  (setq-local comment-start "// ")
  (setq-local font-lock-defaults '(ttkit-font-lock)))

(add-to-list 'auto-mode-alist '("\\.\\(?:mlir\\|ttir\\|ttgir\\)\\'" . ttkit-mode))
(add-to-list 'eglot-server-programs '(ttkit-mode . ("tt-lsp")))
(add-hook 'ttkit-mode-hook #'eglot-ensure)

(provide 'ttkit)
;;; ttkit.el ends here
