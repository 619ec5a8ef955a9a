-- The changes of a preview in the quickfix list.
local hunks = require('xcsh.hunks')

local M = {}

--- Fills a new list and opens it.
function M.fill(server, preview)
  local items = {}
  for _, hunk in ipairs(preview.hunks) do
    local item = hunks.item(hunk, server.offset_encoding)
    item.text = hunks.summary(hunk)
    items[#items + 1] = item
  end
  vim.fn.setqflist({}, ' ', { title = preview.label, items = items, context = { id = preview.id, revision = preview.revision } })
  vim.cmd('botright copen')
end

return M
