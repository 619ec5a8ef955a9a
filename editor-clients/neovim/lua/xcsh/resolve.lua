-- :XcshApply and :XcshDiscard. The server asks for the reason, by xcsh.questions,
-- and shows the outcome.
local client = require('xcsh.client')

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

--- Resolves the newest pending action. What the server has told of the stack may be
--- a moment old, so it is asked.
function M.top(action, reason)
  local server = client.current()
  if not server then
    return
  end
  client.execute(server, 'xcsh.pending.list', {}, function(list)
    local top = list.actions[1] or {}
    M.decide(server, action, { id = top.id, revision = top.revision, reason = reason })
  end)
end

return M
