-- :XcshPending: the preview of a pending action, in a floating window that follows
-- the stack, with keys to decide.
local client = require('xcsh.client')
local config = require('xcsh.config')
local float = require('xcsh.float')
local hunks = require('xcsh.hunks')
local notify = require('xcsh.notify')
local render = require('xcsh.render')
local resolve = require('xcsh.resolve')

local M = {}

local KEYS = 'a apply · d discard · Enter go there · s side by side · n next · p previous · Q quickfix · q close'

--- What the window shows: server, actions, place in them, preview, hunk_of.
local Review = {}
Review.__index = Review

function Review:action()
  return self.actions[self.place]
end

local function place_of(actions, id)
  for place, action in ipairs(actions) do
    if action.id == id then
      return place
    end
  end
end

--- Gets the stack and the preview of the action with this id, or of the newest. Then
--- calls `done`; `gone` where that action is pending no more. Of two calls at a time
--- the answers to the later one count.
function Review:fetch(id, done, gone)
  self.wanted, self.turn = id, (self.turn or 0) + 1
  local turn = self.turn
  client.execute(self.server, 'xcsh.pending.list', {}, function(list)
    if turn ~= self.turn then
      return
    end
    local place = place_of(list.actions, id) or (not id and list.actions[1] and 1)
    if not place then
      return gone()
    end
    self.actions, self.place = list.actions, place
    client.execute(self.server, 'xcsh.pending.preview', { id = list.actions[place].id }, function(preview)
      if turn ~= self.turn then
        return
      end
      self.preview = preview
      done()
    end)
  end)
end

function Review:lines()
  local lines = render.heading(self:action(), self.place, #self.actions)
  lines[#lines + 1] = KEYS
  local changes, hunk_of = render.changes(self.preview)
  self.hunk_of = {}
  for line, hunk in pairs(hunk_of) do
    self.hunk_of[#lines + line] = hunk
  end
  return vim.list_extend(lines, changes)
end

function Review:show()
  if self.window and self.window:is_open() then
    return self.window:show(self:lines())
  end
  self.window = float.open(self:lines(), { filetype = 'diff', keys = self:keys() })
end

--- Asks and decides about what is shown. The window stays until that is done: a
--- question that is dismissed changes nothing.
function Review:decide(action)
  local seen = { id = self.preview.id, revision = self.preview.revision }
  resolve.decide(self.server, action, seen, function()
    self:refresh()
  end)
end

--- Shows what is pending under the same id now; closes where it is gone.
function Review:refresh()
  if not self.window or not self.window:is_open() then
    return
  end
  self:fetch(self.wanted or self.preview.id, function()
    if self.window:is_open() then -- still: it may have been closed while we waited
      self:show()
    end
  end, function()
    self.window:close()
  end)
end

function Review:step(by)
  local action = self.actions[self.place + by]
  if not action then
    return notify.info(by > 0 and 'this is the oldest pending action' or 'this is the newest pending action')
  end
  self:fetch(action.id, function()
    if self.window:is_open() then
      self:show()
      vim.api.nvim_win_set_cursor(self.window.win, { 1, 0 })
    end
  end, function()
    self.window:close()
  end)
end

--- Closes the window and does something with the hunk under its cursor.
function Review:with_hunk(act)
  local hunk = self.hunk_of[self.window:line()]
  if hunk then
    self.window:close()
    act(hunk)
  end
end

function Review:keys()
  local function call(method, ...)
    local arguments = { ... }
    return function()
      self[method](self, unpack(arguments))
    end
  end
  return {
    a = call('decide', 'apply'),
    d = call('decide', 'discard'),
    n = call('step', 1),
    p = call('step', -1),
    Q = function()
      self.window:close()
      require('xcsh.quickfix').fill(self.server, self.preview)
    end,
    s = call('with_hunk', function(hunk)
      require('xcsh.sidebyside').open(self.server, self.preview, hunk.uri)
    end),
    ['<CR>'] = call('with_hunk', function(hunk)
      hunks.go_to(hunk, self.server.offset_encoding)
    end),
  }
end

local shown = setmetatable({}, { __mode = 'v' }) -- at [1], the review that is open

--- Follows the stack while a window is open.
function M.pending_changed()
  if shown[1] then
    shown[1]:refresh()
  end
end

--- Opens the action with this id, or the newest, as the option review says or as
--- `way` does.
function M.open(id, way)
  local server = client.current()
  if not server then
    return
  end
  local review = setmetatable({ server = server }, Review)
  review:fetch(id, function()
    if (way or config.get().review) == 'quickfix' then
      return require('xcsh.quickfix').fill(server, review.preview)
    end
    if shown[1] and shown[1].window then
      shown[1].window:close()
    end
    shown[1] = review
    review:show()
  end, function()
    notify.info('nothing is pending')
  end)
end

return M
