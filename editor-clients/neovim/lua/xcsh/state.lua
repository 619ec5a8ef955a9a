-- What the servers said last: what is pending, and what their tools show. By
-- client, so that nothing of a server that has ended counts.
local M = {}

local pending = {} -- client id → actions, top first
local status = {} -- client id → key → text

--- The event of Neovim that tells that something here has changed.
M.EVENT = 'XcshPendingChanged'

local function live(by_client)
  local values = {}
  for id, value in pairs(by_client) do
    if vim.lsp.get_client_by_id(id) then
      values[#values + 1] = value
    else
      by_client[id] = nil
    end
  end
  return values
end

local function tell()
  vim.api.nvim_exec_autocmds('User', { pattern = M.EVENT, modeline = false })
  vim.cmd('redrawstatus!')
end

--- Takes xcsh/pendingChanged.
function M.pending_changed(_, list, ctx)
  pending[ctx.client_id] = list.actions
  tell()
end

--- Takes xcsh/status; a text that is null ends what was shown under its key.
function M.status(_, params, ctx)
  local texts = status[ctx.client_id] or {}
  texts[params.key] = params.text ~= vim.NIL and params.text or nil
  status[ctx.client_id] = texts
  tell()
end

--- Takes xcsh/toolUpdate: the newest text of a tool that runs, for a moment.
function M.tool_update(_, params)
  for _, content in ipairs(params.partialResult and params.partialResult.content or {}) do
    if content.type == 'text' then
      local line = vim.split(content.text, '\n')[1]
      vim.api.nvim_echo({ { params.toolName .. ': ' .. line } }, false, {})
    end
  end
end

--- The actions that are pending at one client, top first.
function M.pending(client)
  return pending[client.id] or {}
end

--- How many actions are pending, everywhere.
function M.count()
  local count = 0
  for _, actions in ipairs(live(pending)) do
    count = count + #actions
  end
  return count
end

--- The texts that tools show, in the order of their keys.
function M.texts()
  local lines = {}
  for _, texts in ipairs(live(status)) do
    local keys = vim.tbl_keys(texts)
    table.sort(keys)
    for _, key in ipairs(keys) do
      lines[#lines + 1] = texts[key]
    end
  end
  return lines
end

return M
