-- One file of a preview: its buffer beside the text that it would have, as a diff.
local client = require('xcsh.client')

local M = {}

--- Opens a tab for the file with this URI. The buffer is live; what it would become
--- is read-only.
function M.open(server, preview, uri)
  client.execute(server, 'xcsh.pending.preview', { id = preview.id, uri = uri }, function(fresh)
    local document = fresh.documents[1]
    vim.cmd('tabedit ' .. vim.fn.fnameescape(vim.uri_to_fname(uri)))
    local filetype = vim.bo.filetype
    vim.cmd('diffthis')
    vim.cmd('rightbelow vnew')
    vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(document.after:gsub('\r\n', '\n'):gsub('\n$', ''), '\n'))
    vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = 'nofile', 'wipe', false
    vim.bo.filetype, vim.bo.modifiable = filetype, false
    vim.cmd('diffthis | wincmd p')
  end)
end

return M
