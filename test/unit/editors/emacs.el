;;; emacs.el --- What Emacs shows of the files WRONG and RIGHT with editors/emacs/ttkit.el -*- lexical-binding: t; -*-

;; A line each: what, a tab, the text.

(load (expand-file-name "emacs/ttkit.el" (getenv "EDITORS")) nil t)

(defun tell (what text)
  (princ (format "%s\t%s\n" what (replace-regexp-in-string "\n" " " (format "%s" text)))))

(defun wait-for (done)
  (let ((end (+ (float-time) 60)))
    (while (and (not (funcall done)) (< (float-time) end))
      (accept-process-output nil 0.05))))

(defun visit (name)
  (find-file (getenv name))
  (run-hooks 'post-command-hook)        ; which batch mode does not, and eglot waits for
  (wait-for #'eglot-current-server))

(setq eglot-sync-connect 60)
(visit "WRONG")
(tell "mode" major-mode)
(tell "server" (plist-get (eglot--server-info (eglot-current-server)) :name))
(wait-for #'flymake-diagnostics)
(dolist (found (flymake-diagnostics))
  (tell "diagnostic" (format "%d %s" (line-number-at-pos (flymake-diagnostic-beg found)) (flymake-diagnostic-text found))))

(visit "RIGHT")
(search-forward "tt.load")
(backward-char 3)
(let ((found (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
  (tell "hover" (plist-get (plist-get found :contents) :value)))
(font-lock-ensure)
(tell "highlighted" (get-text-property (point) 'face))
