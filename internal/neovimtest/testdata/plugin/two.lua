-- Two are pending: the newest goes first, and the older one cannot overtake it.
local human = require('human')
local project = require('project')
local report = require('report')

local top = 'AST Edit: 1 replacement in 1 file'

return function(plugin)
  plugin.start({ review_after_replace = false })
  plugin.propose()
  plugin.soon_count(1)
  plugin.propose('greet', 'hello')
  plugin.soon_count(2)

  vim.cmd('XcshPending')
  plugin.soon_float('the newest is shown', top .. '  (1 of 2 pending, newest first)')
  plugin.press('n')
  plugin.soon_float('n shows the one below', project.label .. '  (2 of 2 pending, newest first)')
  plugin.press('a')
  plugin.soon_said('which cannot be applied yet', 'is not the most recent one. Resolve "' .. top .. '" first.')
  report.equal('nobody is asked for a reason', human.questions, {})
  plugin.check_nothing_changed()
  plugin.press('p')
  plugin.soon_float('p shows the newest again', top)

  human.will('Not now')
  plugin.press('d')
  plugin.soon_no_float()
  plugin.soon_count(1)
  vim.cmd('XcshApply the older one, given with the command')
  plugin.soon_count(0)
  plugin.check_applied()
  plugin.check_decided(2, 'apply', 'the older one, given with the command', 'argument')
  vim.cmd('XcshApply')
  plugin.soon_said('then nothing is pending', 'xcsh: ')
  vim.cmd('XcshPending')
  plugin.soon_said('and :XcshPending says so', 'nothing is pending')
  plugin.stop()
end
