-- :XcshDecisions: what was decided, newest first, and its revert.
local client = require('xcsh.client')
local float = require('xcsh.float')
local notify = require('xcsh.notify')

local M = {}

--- How many decisions are shown at once; `m` gets as many more.
local PAGE = 50

local KEYS = 'r revert · m more · q close'

local function line_of(decision)
  local time = decision.time:gsub('T', ' '):gsub('[.Z].*$', '')
  local outcome = decision.isError and 'failed' or decision.action
  local by = decision.decidedBy.name
  return ('%s  %-7s  %s  "%s" (%s, by %s)'):format(time, outcome, decision.label, decision.reason, decision.reasonFrom, by)
end

local Log = {}
Log.__index = Log

function Log:lines()
  local lines = { KEYS }
  if #self.decisions == 0 then
    lines[2] = 'Nothing has been decided yet.'
  end
  for _, decision in ipairs(self.decisions) do
    lines[#lines + 1] = line_of(decision)
  end
  return lines
end

function Log:more(done)
  local last = self.decisions[#self.decisions]
  client.execute(self.server, 'xcsh.decisions.list', { limit = PAGE, before = last and last.id }, function(result)
    vim.list_extend(self.decisions, result.decisions)
    done()
  end)
end

--- Stages what undoes the decision under the cursor: nothing is written before that
--- is applied.
function Log:revert()
  local decision = self.decisions[self.window:line() - 1]
  if not decision then
    return
  end
  client.execute(self.server, 'xcsh.decisions.revert', { id = decision.id }, function(result)
    self.window:close()
    local pending = result.details and result.details.pending
    if pending then
      require('xcsh.review').open(pending.id)
    else
      notify.info(client.text_of(result))
    end
  end)
end

function Log:show()
  if self.window and self.window:is_open() then
    return self.window:show(self:lines())
  end
  self.window = float.open(self:lines(), {
    filetype = 'xcsh-decisions',
    keys = {
      r = function()
        self:revert()
      end,
      m = function()
        self:more(function()
          self:show()
        end)
      end,
    },
  })
  vim.api.nvim_win_set_cursor(self.window.win, { math.min(2, vim.api.nvim_buf_line_count(self.window.buf)), 0 })
end

function M.open()
  local server = client.current()
  if not server then
    return
  end
  local log = setmetatable({ server = server, decisions = {} }, Log)
  log:more(function()
    log:show()
  end)
end

return M
