-- Triton's IR with tt-lsp, in Neovim 0.11 and later: copy to ~/.config/nvim/lua/ and `require("ttkit")` in init.lua.
vim.filetype.add({ extension = { mlir = "mlir", ttir = "mlir", ttgir = "mlir", llir = "llvm" } })

vim.lsp.config("ttkit", {
  cmd = { "tt-lsp" },
  filetypes = { "mlir" },
  root_markers = { ".git" },
})
vim.lsp.enable("ttkit")

vim.api.nvim_create_autocmd("LspAttach", {
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == "ttkit" then
      vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
    end
  end,
})
