-- :XcshApply and :XcshDiscard. The server asks for the reason, by xcsh.questions,
-- and shows the outcome.
local client = require('xcsh.client')
local state = require('xcsh.state')

local M = {}

--- Resolves at one server. `seen` has the id and the revision that the human looks
--- at, and `reason` where one was given. `done` is called after a decision.
function M.decide(server, action, seen, done)
  local argument = { action = action, id = seen.id, revision = seen.revision, reason = seen.reason, extra = seen.extra }
  client.execute(server, 'xcsh.resolve', argument, function(result)
    if done and not result.cancelled then
      done(result)
    end
  end)
end

--- Resolves the newest pending action, as it is shown now.
function M.top(action, reason)
  local server = client.current()
  if not server then
    return
  end
  local top = state.pending(server)[1] or {}
  M.decide(server, action, { id = top.id, revision = top.revision, reason = reason })
end

return M
