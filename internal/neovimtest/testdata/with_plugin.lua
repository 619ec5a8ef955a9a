-- Neovim with the plugin, and what its user does and sees.
local editor = require('editor')
local human = require('human')
local project = require('project')
local report = require('report')

local M = setmetatable({}, { __index = editor })

--- Loads the plugin as Neovim does at its start.
function M.load()
  vim.opt.runtimepath:prepend(vim.env.XCSH_TEST_PLUGIN)
  vim.cmd('runtime plugin/xcsh.lua')
end

--- The plugin's clients.
function M.clients()
  return require('xcsh.compat').clients('xcsh')
end

--- Waits until one client runs that has both buffers, and makes it the editor's.
function M.soon_attached()
  report.soon('one server has both buffers', function()
    local running = M.clients()[1]
    return #M.clients() == 1 and running.initialized and running.attached_buffers[editor.a] and running.attached_buffers[editor.c]
  end, M.clients)
  editor.use(M.clients()[1])
end

--- Opens the project with the plugin set up.
function M.start(options)
  M.load()
  editor.open_project()
  vim.cmd('cd ' .. vim.fn.fnameescape(project.dir))
  require('xcsh').setup(vim.tbl_extend('force', { cmd = { vim.env.XCSH_TEST_SERVER }, root_dir = project.dir }, options or {}))
  M.soon_attached()
end

--- Ends the server; nothing may have gone wrong that a user would be told of.
function M.stop()
  require('xcsh.compat').call(M.clients()[1], 'stop')
  report.soon('the server ends', function()
    return #M.clients() == 0
  end, M.clients)
  report.check('and is not started again', not human.saw('the server has ended'), human.messages)
end

--- The window that floats, or nil.
function M.float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return window
    end
  end
end

--- The text of the window that floats; '' where there is none.
function M.float_text()
  local window = M.float()
  return window and table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n') or ''
end

--- Waits until the window that floats has this text.
function M.soon_float(name, text)
  report.soon(name, function()
    return M.float_text():find(text, 1, true) ~= nil
  end, function()
    return { float = M.float_text(), messages = human.messages }
  end)
end

function M.soon_no_float()
  report.soon('the window closes', function()
    return not M.float()
  end, M.float_text)
end

--- Presses keys, as a user does in the current window.
function M.press(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'xt', false)
end

--- Puts the cursor of the floating window on the first line with this text.
function M.float_go_to(text)
  local window = M.float()
  for i, line in ipairs(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)) do
    if line:find(text, 1, true) then
      return vim.api.nvim_win_set_cursor(window, { i, 0 })
    end
  end
  error(text .. ' is not in the window:\n' .. M.float_text())
end

function M.soon_count(count)
  report.soon(count .. ' pending, says the plugin', function()
    return require('xcsh').count() == count
  end, require('xcsh').count)
end

--- Proposes by :XcshReplace, with everything given.
function M.propose(pat, out)
  vim.cmd('XcshReplace ' .. (pat or 'console.log($$$ARGS)') .. ' => ' .. (out or 'logger.info($$$ARGS)'))
end

function M.soon_said(name, text)
  report.soon(name, function()
    return human.saw(text)
  end, function()
    return human.messages
  end)
end

--- Waits until as many questions have been asked.
function M.soon_asked(count)
  report.soon(count .. ' asked', function()
    return #human.questions == count
  end, function()
    return { questions = human.questions, messages = human.messages }
  end)
end

--- What the user sees and what is on disk once the edit is applied and not saved.
function M.check_applied()
  report.equal('a.ts in the editor has the new text, the unsaved part with it', editor.text(editor.a), project.edited(editor.a_as_typed()))
  report.equal('c.ts in the editor has the new text', editor.text(editor.c), project.edited(project.c))
  report.equal('b.ts is changed on disk and keeps its CRLF', project.read('b.ts'), project.edited(project.b))
end

--- The newest decision's action, reason and how the reason was given.
function M.check_decided(count, ...)
  vim.wait(2000, function() -- the log is written after the stack is told
    return #editor.decisions() >= count
  end, 20)
  local decisions = editor.decisions()
  local kept = decisions[1] or {}
  report.equal('it is kept with its reason', { #decisions, kept.action, kept.reason, kept.reasonFrom }, { count, ... })
end

return M
