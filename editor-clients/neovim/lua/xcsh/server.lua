-- The configuration of the language client: what it can do, and how it answers.
-- Handlers belong to the client, so nothing is registered twice.
local config = require('xcsh.config')
local questions = require('xcsh.questions')
local state = require('xcsh.state')

local M = {}

M.NAME = 'xcsh'

--- What marks the folder that a project begins in.
local MARKERS = { '.git', '.hg', '.jj' }

--- The nearest folder around `dir` with a marker, or nil.
local function project_around(dir)
  while true do
    for _, marker in ipairs(MARKERS) do
      if vim.loop.fs_stat(dir .. '/' .. marker) then
        return dir
      end
    end
    local parent = vim.fn.fnamemodify(dir, ':h')
    if parent == dir then
      return nil
    end
    dir = parent
  end
end

--- The workspace: the option root_dir, else the project around the current folder,
--- else that folder. Not the project around the file: files from elsewhere are
--- looked at too, and are no workspace of their own.
function M.root()
  local root = config.get().root_dir
  if type(root) == 'function' then
    root = root()
  end
  local cwd = vim.fn.getcwd()
  return root or project_around(cwd) or cwd
end

local function capabilities()
  local all = vim.deepcopy(config.get().capabilities or vim.lsp.protocol.make_client_capabilities())
  all.experimental = all.experimental or {}
  all.experimental.xcsh = { input = true, quickPick = true, pendingChanged = true, toolUpdate = true }
  return all
end

local function handlers()
  return {
    ['xcsh/input'] = questions.input,
    ['xcsh/quickPick'] = questions.quick_pick,
    ['xcsh/pendingChanged'] = state.pending_changed,
    ['xcsh/status'] = state.status,
    ['xcsh/toolUpdate'] = state.tool_update,
  }
end

--- What vim.lsp.start, nvim-lspconfig and vim.lsp.config have in common.
function M.client_config()
  local options = config.get()
  local settings = next(options.settings) and options.settings or vim.empty_dict()
  return {
    name = M.NAME,
    cmd = options.cmd,
    capabilities = capabilities(),
    handlers = handlers(),
    init_options = settings,
    settings = { xcsh = settings },
    on_attach = options.on_attach,
    -- What is typed goes to the server at once. Neovim waits 150 ms by default, and
    -- answers questions without sending it first: an edit would then be made in text
    -- that the server has never seen.
    flags = { debounce_text_changes = 0 },
  }
end

return M
