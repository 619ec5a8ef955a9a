-- Propose, read the diff, apply with a typed reason.
local human = require('human')
local project = require('project')
local report = require('report')

local reason = 'logger is the way to log here'

return function(plugin)
  plugin.start()
  plugin.propose()
  plugin.soon_float('the preview opens', project.label)
  local text = plugin.float_text()
  for _, part in ipairs({ '--- a.ts', '@@ line 2 @@', '-console.log(smile, name)', '+logger.info(smile, name)', "+logger.info('é', 'later')", '--- b.ts', '--- c.ts' }) do
    report.check('it has ' .. part, text:find(part, 1, true), text)
  end
  plugin.check_nothing_changed()

  human.will('Type a reason', reason)
  plugin.press('a')
  plugin.soon_no_float()
  report.equal('ready-made reasons come first', human.questions[1].choices,
    { 'Reviewed: the change is right', 'Tests pass with it', 'Type a reason…' })
  report.check('the question says what for', human.questions[1].text:find('Apply "' .. project.label .. '": Why?', 1, true), human.questions)
  plugin.check_applied()
  plugin.soon_count(0)
  plugin.soon_said('a message says the outcome', 'Accept: 5 replacements in 3 files [AST Edit]\n' .. reason)
  plugin.check_decided(1, 'apply', reason, 'typed')
  plugin.stop()
end
