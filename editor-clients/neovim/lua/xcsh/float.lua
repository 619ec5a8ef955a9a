-- A floating window with lines that cannot be edited, and keys of its own.
local config = require('xcsh.config')

local M = {}

--- How much of the editor's width and height a window takes at most.
local SHARE = 0.8

local function size(lines)
  local width = 40
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  return math.min(width, math.floor(vim.o.columns * SHARE)), math.max(1, math.min(#lines, math.floor(vim.o.lines * SHARE)))
end

local function centred(lines)
  local width, height = size(lines)
  return {
    relative = 'editor',
    style = 'minimal',
    border = config.get().border,
    width = width,
    height = height,
    row = math.floor((vim.o.lines - height) / 2) - 1,
    col = math.floor((vim.o.columns - width) / 2),
  }
end

local function beside_cursor(lines)
  local width, height = size(lines)
  return { relative = 'cursor', style = 'minimal', border = config.get().border, width = width, height = height, row = 1, col = 0 }
end

local Window = {}
Window.__index = Window

--- Replaces the lines.
function Window:show(lines)
  -- A line break inside a line would be an error.
  lines = vim.tbl_map(function(line)
    return (line:gsub('[\r\n]', ' '))
  end, lines)
  vim.bo[self.buf].modifiable = true
  vim.api.nvim_buf_set_lines(self.buf, 0, -1, false, lines)
  vim.bo[self.buf].modifiable = false
end

function Window:is_open()
  return vim.api.nvim_win_is_valid(self.win) and vim.api.nvim_win_get_buf(self.win) == self.buf
end

function Window:close()
  if self:is_open() then
    vim.api.nvim_win_close(self.win, true)
  end
end

--- The number of the line that the cursor is on.
function Window:line()
  return vim.api.nvim_win_get_cursor(self.win)[1]
end

--- Opens a window and enters it. `options` has filetype, at_cursor, and keys: what
--- each does. q and Escape close it.
function M.open(lines, options)
  local place = (options.at_cursor and beside_cursor or centred)(lines)
  local buf = vim.api.nvim_create_buf(false, true)
  local window = setmetatable({ buf = buf }, Window)
  vim.bo[buf].bufhidden = 'wipe'
  window:show(lines)
  window.win = vim.api.nvim_open_win(buf, true, place)
  vim.bo[buf].filetype = options.filetype or 'text'
  vim.wo[window.win].wrap = false
  local keys = vim.tbl_extend('force', {
    q = function()
      window:close()
    end,
    ['<Esc>'] = function()
      window:close()
    end,
  }, options.keys or {})
  for key, action in pairs(keys) do
    vim.keymap.set('n', key, action, { buffer = buf, nowait = true, silent = true })
  end
  return window
end

return M
