-- Commands of the server, for the plugin's own commands.
local compat = require('xcsh.compat')
local notify = require('xcsh.notify')
local server = require('xcsh.server')

local M = {}

--- The client of the current buffer, else any. Nil, with a message, where no server
--- runs.
function M.current()
  local running = vim.tbl_filter(function(client)
    return client.initialized ~= false and client.server_capabilities ~= nil
  end, compat.clients(server.NAME))
  for _, client in ipairs(running) do
    if client.attached_buffers[vim.api.nvim_get_current_buf()] then
      return client
    end
  end
  if not running[1] then
    notify.error("no server runs. Call require('xcsh').setup{} and open a file; :help xcsh-setup")
  end
  return running[1]
end

local function message_of(err)
  return type(err) == 'table' and err.message or tostring(err)
end

--- Runs a command and calls `done` with its result. A failure is shown, and given
--- to `failed` where there is one. `bufnr` is the buffer that it is about.
function M.execute(client, command, argument, done, failed)
  local params = { command = command, arguments = { next(argument) and argument or vim.empty_dict() } }
  local bufnr = vim.api.nvim_get_current_buf()
  compat.call(client, 'request', 'workspace/executeCommand', params, function(err, result)
    if not err then
      return done(result)
    end
    notify.error(message_of(err))
    if failed then
      failed(err)
    end
  end, bufnr)
end

--- The text of a tool result.
function M.text_of(result)
  local lines = {}
  for _, content in ipairs(result.content or {}) do
    if content.type == 'text' then
      lines[#lines + 1] = content.text
    end
  end
  return table.concat(lines, '\n')
end

return M
