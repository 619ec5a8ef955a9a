-- The server is killed: it is started again, attached to what it was attached to,
-- and nothing is there twice.
local human = require('human')
local report = require('report')

local function kill(client)
  local pid = require('xcsh.compat').clients('xcsh')[1].rpc.pid or tonumber(vim.fn.system({ 'pgrep', '-P', tostring(vim.fn.getpid()), '-f', vim.env.XCSH_TEST_SERVER }))
  report.check('the server has a process', pid, client)
  vim.loop.kill(pid, 'sigkill')
end

local function autocommands()
  return #vim.api.nvim_get_autocmds({ group = 'xcsh' })
end

return function(plugin)
  plugin.start({ review_after_replace = false })
  plugin.propose()
  plugin.soon_count(1)
  plugin.soon_previewed()
  local registered, commands, first = autocommands(), vim.tbl_count(vim.api.nvim_get_commands({})), plugin.clients()[1].id

  kill(plugin.clients()[1])
  plugin.soon_said('the user is told', 'the server has ended and is started again')
  report.soon('another client runs', function()
    return plugin.clients()[1] and plugin.clients()[1].id ~= first
  end, plugin.clients)
  plugin.soon_attached()
  plugin.soon_count(0)
  plugin.soon_no_diagnostics()
  plugin.check_nothing_changed()

  vim.cmd('XcshRestart')
  local second = plugin.clients()[1].id
  report.soon(':XcshRestart starts another one', function()
    return plugin.clients()[1] and plugin.clients()[1].id > second
  end, plugin.clients)
  plugin.soon_attached()

  require('xcsh').setup({ cmd = { vim.env.XCSH_TEST_SERVER }, root_dir = require('project').dir, review_after_replace = false })
  vim.g.loaded_xcsh = nil
  vim.cmd('runtime plugin/xcsh.lua')
  plugin.soon_attached()
  report.equal('nothing is registered twice', { autocommands(), vim.tbl_count(vim.api.nvim_get_commands({})) }, { registered, commands })

  plugin.propose()
  plugin.soon_count(1)
  plugin.soon_previewed()
  human.forget()
  human.will('Apply "', 'Reviewed')
  plugin.take_code_action()
  report.equal('the menu has each action once', #human.questions[1].choices, 2)
  plugin.check_applied()
  plugin.stop()
end
