-- Hunks of a preview, as places in files.
local M = {}

--- The item of the quickfix list for a hunk. Columns are bytes there, and in the
--- client's encoding in the hunk.
function M.item(hunk, encoding)
  return vim.lsp.util.locations_to_items({ { uri = hunk.uri, range = hunk.range } }, encoding)[1]
end

--- A line's text that stands for a hunk: first line before → first line after.
function M.summary(hunk)
  local function first(text)
    local line, rest = text:match('^([^\r\n]*)(.*)$')
    return rest ~= '' and line .. ' …' or line
  end
  return first(hunk.before) .. ' → ' .. first(hunk.after)
end

--- The name of a hunk's file, as short as it is clear.
function M.path(hunk)
  return vim.fn.fnamemodify(vim.uri_to_fname(hunk.uri), ':~:.')
end

local function before(a, b)
  return a.line < b.line or a.line == b.line and a.character < b.character
end

--- The hunk at a position in a file, or nil. The end of a range counts: a cursor
--- just behind it is meant to be on it.
function M.at(hunks, uri, position)
  for _, hunk in ipairs(hunks) do
    if hunk.uri == uri and not before(position, hunk.range.start) and not before(hunk.range['end'], position) then
      return hunk
    end
  end
end

--- Goes to a hunk, in the window that is current.
function M.go_to(hunk, encoding)
  local item = M.item(hunk, encoding)
  vim.cmd("normal! m'")
  vim.cmd('edit ' .. vim.fn.fnameescape(item.filename))
  vim.api.nvim_win_set_cursor(0, { item.lnum, item.col - 1 })
end

return M
