-- Starts the server and attaches it to every buffer of a file: it knows of unsaved
-- text only in buffers that it is told about.
local compat = require('xcsh.compat')
local config = require('xcsh.config')
local notify = require('xcsh.notify')
local server = require('xcsh.server')

local M = {}

--- How often a server that ended by itself is started again, for a session of the
--- editor: one that ends at once should not be started for ever.
local MAX_RESTARTS = 3

local SIGTERM = 15

--- How long to wait before another look at what happens elsewhere, in ms.
local POLL = 20

local restarts = 0
local told = false -- that there is no server

local function is_file(bufnr)
  return vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].buftype == '' and vim.api.nvim_buf_get_name(bufnr) ~= ''
end

local function have_server()
  local program = config.get().cmd[1]
  if vim.fn.executable(program) == 1 then
    return true
  end
  if not told then
    told = true
    notify.error(program .. ' is not to be found. Build it (make build), and put it on PATH or name it: setup{ cmd = { "/path/to/xcsh-lsp" } }')
  end
  return false
end

--- Runs `start` once the clients with these ids have gone: until then Neovim would
--- attach buffers to them again.
local function when_gone(ids, start)
  local function gone(id)
    return vim.lsp.get_client_by_id(id) == nil
  end
  if #vim.tbl_filter(gone, ids) == #ids then
    return start()
  end
  vim.defer_fn(function()
    when_gone(ids, start)
  end, POLL)
end

local function ended(code, signal, id)
  vim.schedule(function() -- Neovim 0.7 leaves them behind
    vim.diagnostic.reset(vim.lsp.diagnostic.get_namespace(id))
  end)
  local asked_to = code == 0 and signal == 0 or signal == SIGTERM
  if asked_to then
    return
  end
  vim.schedule(function()
    if restarts == MAX_RESTARTS then
      notify.error(('the server has ended %d times; :XcshRestart starts it again'):format(MAX_RESTARTS + 1))
      return
    end
    restarts = restarts + 1
    notify.warn('the server has ended and is started again; nothing is pending any more')
    when_gone({ id }, M.all)
  end)
end

--- Attaches one buffer, where it is one of a file.
function M.buffer(bufnr)
  if not is_file(bufnr) or not have_server() then
    return
  end
  local client = server.client_config()
  client.root_dir = server.root()
  client.on_exit = ended
  compat.start(client, bufnr)
end

--- Attaches the buffers that are there.
function M.all()
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    M.buffer(bufnr)
  end
end

--- Attaches the buffers that are there and those that come. A second call changes
--- nothing but takes the options of its time.
function M.every_buffer()
  local group = vim.api.nvim_create_augroup('xcsh', { clear = true })
  if not config.get().autostart then
    return
  end
  vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile', 'BufFilePost' }, {
    group = group,
    callback = function(event)
      vim.schedule(function() -- once the buffer has its file type
        M.buffer(event.buf)
      end)
    end,
  })
  M.all()
end

--- Stops the servers, and starts them again once they have gone.
function M.restart()
  if not config.get().autostart then
    notify.error('the server was not started by setup{}: restart it by what started it')
    return
  end
  restarts, told = 0, false
  local ids = {}
  for _, client in ipairs(compat.clients(server.NAME)) do
    ids[#ids + 1] = client.id
    compat.call(client, 'stop')
  end
  when_gone(ids, M.all)
end

return M
