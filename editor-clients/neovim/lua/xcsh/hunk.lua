-- :XcshHunk: the change under the cursor, as a diff of whole lines.
local client = require('xcsh.client')
local compat = require('xcsh.compat')
local float = require('xcsh.float')
local hunks = require('xcsh.hunks')
local notify = require('xcsh.notify')
local render = require('xcsh.render')
local state = require('xcsh.state')

local M = {}

--- The file as it would be, were this hunk its only change; `document` is the file's
--- part of a preview. Nil where the lines of the hunk cannot be cut out.
local function around(hunk, document, encoding)
  local lines = vim.split(document.before:gsub('\r\n', '\n'), '\n')
  local from, to = hunk.range.start, hunk.range['end']
  local first, last = lines[from.line + 1], lines[to.line + 1]
  if not first or not last then
    return nil
  end
  local whole = table.concat(vim.list_slice(lines, from.line + 1, to.line + 1), '\n')
  local head = first:sub(1, compat.byte_index(first, from.character, encoding))
  local tail = last:sub(compat.byte_index(last, to.character, encoding) + 1)
  local changed = head .. hunk.after .. tail
  return whole .. '\n', changed .. '\n'
end

local function diff_of(hunk, document, encoding)
  local before, after = around(hunk, document, encoding)
  if not before then
    return render.hunk(hunk)
  end
  local lines = vim.split(compat.diff(before, after, { ctxlen = 0 }):gsub('\n$', ''), '\n')
  return vim.tbl_filter(function(line)
    return not line:match('^@@')
  end, lines)
end

local function show(server, preview, position)
  local uri = vim.uri_from_bufnr(0)
  local hunk = hunks.at(preview.hunks, preview.documents[1].uri, position)
  if not hunk then
    return false
  end
  local lines = { preview.label, ('change %d in %s'):format(hunk.index + 1, hunks.path({ uri = uri })) }
  vim.list_extend(lines, diff_of(hunk, preview.documents[1], server.offset_encoding))
  float.open(lines, { filetype = 'diff', at_cursor = true })
  return true
end

--- Looks through the stack, newest first, for a change under the cursor.
function M.show()
  local server = client.current()
  if not server then
    return
  end
  local uri = vim.uri_from_bufnr(0)
  local position = vim.lsp.util.make_position_params(0, server.offset_encoding).position
  local ids = {}
  for _, action in ipairs(state.pending(server)) do
    for _, file in ipairs(action.files) do
      if file.uri == uri then
        ids[#ids + 1] = action.id
      end
    end
  end
  local function look(i)
    if not ids[i] then
      return notify.info('nothing is pending here')
    end
    client.execute(server, 'xcsh.pending.preview', { id = ids[i], uri = uri }, function(preview)
      if not show(server, preview, position) then
        look(i + 1)
      end
    end)
  end
  look(1)
end

return M
