-- Neovim with the server attached to the project, and what a user does with it.
local human = require('human')
local project = require('project')
local report = require('report')

local M = {}
local client, exit_code
local outcomes = {} -- results of commands that the editor itself ran

vim.lsp.handlers['workspace/executeCommand'] = function(err, result)
  table.insert(outcomes, { err = err, result = result })
  if err then
    vim.notify(err.message, vim.log.levels.ERROR)
  end
end

local function open(name)
  vim.cmd('edit ' .. vim.fn.fnameescape(project.path(name)))
  vim.bo.filetype = 'typescript'
  return vim.api.nvim_get_current_buf()
end

--- Makes the project, and opens a.ts with an unsaved change and c.ts.
function M.open_project()
  project.create()
  M.is_0_7 = vim.version().minor == 7
  vim.o.hidden = true
  M.c = open('c.ts')
  M.a = open('a.ts')
  vim.api.nvim_buf_set_lines(M.a, -1, -1, false, project.typed)
end

--- Makes `running` the client that commands go to.
function M.use(running)
  client = running
  local version = vim.version()
  report.say(string.format('      Neovim %d.%d.%d, positions in %s', version.major, version.minor, version.patch, client.offset_encoding))
end

--- Opens the project, and starts the server on what is open.
function M.start()
  M.open_project()
  local id = vim.lsp.start_client({
    name = 'xcsh',
    cmd = { vim.env.XCSH_TEST_SERVER },
    root_dir = project.dir,
    on_exit = function(code)
      exit_code = code
    end,
  })
  client = vim.lsp.get_client_by_id(id)
  for _, buf in ipairs({ M.a, M.c }) do
    vim.lsp.buf_attach_client(buf, id)
  end
  report.soon('the server is initialized', function()
    return client.initialized
  end)
  M.use(client)
  return M
end

--- Ends the server as an editor that is closed does.
function M.stop()
  client.stop()
  report.soon('the server ends with status 0', function()
    return exit_code == 0
  end, function()
    return exit_code or 'still runs'
  end)
end

--- Runs a command of the server and returns its result.
function M.command(name, argument)
  local answer, failure = client.request_sync('workspace/executeCommand', { command = name, arguments = { argument } }, 10000, M.a)
  assert(answer, failure)
  assert(not answer.err, vim.inspect(answer.err))
  return answer.result
end

local function empty(object)
  return next(object) == nil and vim.empty_dict() or object
end

function M.pending()
  return M.command('xcsh.pending.list', empty({})).actions
end

function M.decisions()
  return M.command('xcsh.decisions.list', empty({})).decisions
end

--- The lines of the decision log on disk.
function M.decision_log()
  local found = vim.fn.glob(vim.env.XDG_STATE_HOME .. '/xcsh-lsp/*/decisions.jsonl', true, true)
  return found[1] and vim.fn.readfile(found[1]) or {}
end

--- Stages the edit by command and waits until the editor shows it.
function M.dry_run()
  local result = M.command('xcsh.ast_edit', project.request)
  report.equal('the dry run finds ' .. project.label, result.details.pending.label, project.label)
  M.soon_previewed()
  return result
end

function M.soon_previewed()
  report.soon('the editor has 5 diagnostics', function()
    return #vim.diagnostic.get() == 5
  end, vim.diagnostic.get)
end

function M.soon_no_diagnostics()
  report.soon('the diagnostics are gone', function()
    return #vim.diagnostic.get() == 0
  end, vim.diagnostic.get)
end

function M.text(buf)
  return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n') .. '\n'
end

--- The text of a.ts that the user sees before the edit.
function M.a_as_typed()
  return project.a .. table.concat(project.typed, '\n') .. '\n'
end

--- What the user sees and what is on disk.
local function state()
  return {
    buffers = { a = M.text(M.a), c = M.text(M.c), c_is_modified = vim.bo[M.c].modified },
    disk = { a = project.read('a.ts'), b = project.read('b.ts'), c = project.read('c.ts') },
  }
end

function M.check_nothing_changed()
  report.equal('nothing is changed, in the editor or on disk', state(), {
    buffers = { a = M.a_as_typed(), c = project.c, c_is_modified = false },
    disk = { a = project.a, b = project.b, c = project.c },
  })
end

--- Puts the cursor on the first text in a.ts.
function M.go_to(text)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(M.a, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      vim.api.nvim_win_set_cursor(0, { i, column - 1 })
      return i - 1, column - 1
    end
  end
  error(text .. ' is not in a.ts')
end

--- Opens the menu of code actions on the first match and waits until the command
--- that was taken there has ended. Returns its outcome.
function M.take_code_action()
  outcomes = {}
  M.go_to('console.log')
  vim.lsp.buf.code_action()
  report.soon('the command of the code action ends', function()
    return #outcomes > 0
  end, function()
    return { questions = human.questions, messages = human.messages }
  end)
  return outcomes[1] or {}
end

--- Opens the menu and closes it.
function M.close_menu()
  human.will(human.CLOSE)
  vim.lsp.buf.code_action()
  report.soon('the menu was offered and closed', function()
    return #human.questions > 0
  end)
end

return M
