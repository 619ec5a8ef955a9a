-- Safe structural edits that a human decides on. See :help xcsh.
--
-- What a user calls; everything is loaded when it is first needed.
local M = {}

--- Starts the server for every buffer. See :help xcsh-setup for the options.
function M.setup(options)
  require('xcsh.config').set(options or {})
  require('xcsh.attach').every_buffer()
end

--- Proposes a structural edit: { pat, out, lang, scope }, all optional.
function M.replace(request)
  require('xcsh.replace').propose(request)
end

--- Shows what is pending: the action with this id, or the newest.
function M.pending(id)
  require('xcsh.review').open(id)
end

--- Applies the newest pending action; the reason is asked for where it is not given.
function M.apply(reason)
  require('xcsh.resolve').top('apply', reason)
end

--- Discards the newest pending action, as `apply` applies it.
function M.discard(reason)
  require('xcsh.resolve').top('discard', reason)
end

--- Shows what was decided.
function M.decisions()
  require('xcsh.decisions').open()
end

--- Shows the change under the cursor.
function M.hunk()
  require('xcsh.hunk').show()
end

--- How many actions are pending.
function M.count()
  return require('xcsh.state').count()
end

--- The text for a status line; '' while there is nothing to say.
function M.statusline()
  return require('xcsh.statusline').text()
end

return M
