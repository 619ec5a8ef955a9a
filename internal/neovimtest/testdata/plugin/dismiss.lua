-- A question that is closed, at any step, decides nothing.
local human = require('human')
local report = require('report')

return function(plugin)
  plugin.start()
  plugin.propose()
  plugin.soon_float('the preview opens', 'AST Edit')
  for _, way in ipairs({
    { 'a', 'the ready-made reasons', human.CLOSE },
    { 'd', 'the ready-made reasons', human.CLOSE },
    { 'a', 'the typed reason', 'Type a reason', human.CLOSE },
    { 'a', 'a blank reason', 'Type a reason', '  ' },
  }) do
    report.say('      ' .. way[1] .. ', then closing ' .. way[2])
    human.forget()
    human.will(way[3], way[4])
    plugin.press(way[1])
    plugin.soon_asked(#way - 2)
    plugin.command('xcsh.tools.list', vim.empty_dict()) -- the server goes on
    plugin.check_nothing_changed()
    report.equal('the action is still pending', #plugin.pending(), 1)
    report.equal('no decision is kept', { #plugin.decisions(), #plugin.decision_log() }, { 0, 0 })
    report.check('the preview is still shown', plugin.float_text():find('AST Edit', 1, true), plugin.float_text())
    report.equal('nothing is said', human.messages, {})
  end
  plugin.press('<Esc>')
  plugin.soon_no_float()
  plugin.stop()
end
