-- Runs one scenario and ends the editor: with status 0 where every check held.
-- Neovim 0.7.2 has no `-l`, so this comes by `-c luafile`.
local scripts = vim.env.XCSH_TEST_SCRIPTS
package.path = scripts .. '/?.lua;' .. package.path

local report = require('report')
local ran, failure = xpcall(function()
  local scenario = vim.env.XCSH_TEST_SCENARIO
  local run = dofile(scripts .. '/' .. scenario .. '.lua')
  if scenario:match('^plugin/') then
    return run(require('with_plugin'))
  end
  local editor = require('editor').start()
  run(editor)
  editor.stop()
end, debug.traceback)
if not ran then
  report.check('the scenario ran to its end', false, failure)
end
if report.finish() then
  vim.cmd('qall!')
else
  vim.cmd('cquit 1')
end
