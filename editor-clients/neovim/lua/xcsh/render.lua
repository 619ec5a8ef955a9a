-- A preview as lines to read: a heading, then a diff.
local hunks = require('xcsh.hunks')

local M = {}

--- Lines of text, each with a mark before it. A line break at the end is not
--- another line.
local function marked(mark, text)
  local lines = vim.split(text:gsub('\r\n', '\n'):gsub('\n$', ''), '\n')
  return vim.tbl_map(function(line)
    return mark .. line
  end, lines)
end

--- The diff of one hunk.
function M.hunk(hunk)
  local lines = {}
  if hunk.before ~= '' then
    vim.list_extend(lines, marked('-', hunk.before))
  end
  if hunk.after ~= '' then
    vim.list_extend(lines, marked('+', hunk.after))
  end
  return lines
end

local function proposer(action)
  local by = action.proposedBy
  if not by or by.kind == 'human' then
    return nil
  end
  return 'Proposed by ' .. by.name .. ' (' .. by.kind .. ')'
end

--- The heading: what is pending, who proposed it, and its place in the stack.
function M.heading(action, place, count)
  local lines = { action.label }
  if count > 1 then
    lines[1] = lines[1] .. ('  (%d of %d pending, newest first)'):format(place, count)
  end
  lines[#lines + 1] = proposer(action)
  if action.stale then
    lines[#lines + 1] = 'Its files have changed: it cannot be applied as it is.'
  end
  return lines
end

--- The lines of a preview's changes, and which hunk each line is of.
function M.changes(preview)
  local lines, hunk_of, path = {}, {}, nil
  for _, hunk in ipairs(preview.hunks) do
    if hunks.path(hunk) ~= path then
      path = hunks.path(hunk)
      vim.list_extend(lines, { '', '--- ' .. path, '+++ ' .. path })
      hunk_of[#lines - 1], hunk_of[#lines] = hunk, hunk
    end
    lines[#lines + 1] = ('@@ line %d @@'):format(hunk.range.start.line + 1)
    hunk_of[#lines] = hunk
    for _, line in ipairs(M.hunk(hunk)) do
      lines[#lines + 1] = line
      hunk_of[#lines] = hunk
    end
  end
  if #lines == 0 then
    lines = { '', 'It changes no file that could be shown.' }
  end
  return lines, hunk_of
end

return M
