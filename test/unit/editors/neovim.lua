-- What Neovim shows of the files WRONG and RIGHT with editors/neovim/ttkit.lua, a line each: what, a tab, the text.
package.path = vim.env.EDITORS .. "/neovim/?.lua;" .. package.path
vim.cmd("filetype on")
require("ttkit")

local function tell(what, text) io.stdout:write(what .. "\t" .. text:gsub("\n", " ") .. "\n") end
local function wait_for(condition) vim.wait(60000, condition, 50) end

vim.cmd.edit(vim.env.WRONG)
tell("mode", vim.bo.filetype)
wait_for(function() return #vim.diagnostic.get(0) > 0 end)
for _, found in ipairs(vim.diagnostic.get(0)) do tell("diagnostic", found.lnum + 1 .. " " .. found.message) end

vim.cmd.edit(vim.env.RIGHT)
local buffer = vim.api.nvim_get_current_buf()
wait_for(function() return #vim.lsp.get_clients({ bufnr = buffer }) > 0 end)
local client = vim.lsp.get_clients({ bufnr = buffer })[1]
tell("server", client.server_info.name)
local line = vim.fn.search("tt.load")
local place = { textDocument = { uri = vim.uri_from_bufnr(buffer) }, position = { line = line - 1, character = vim.fn.col(".") } }
tell("hover", client:request_sync("textDocument/hover", place, 60000, buffer).result.contents.value)
tell("hints", tostring(vim.lsp.inlay_hint.is_enabled({ bufnr = buffer })))
tell("mistakes", vim.v.errmsg)
vim.cmd("qa!")
