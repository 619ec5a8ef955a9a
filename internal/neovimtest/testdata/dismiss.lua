-- A question for the reason that is not answered decides nothing.
local human = require('human')
local report = require('report')

local function check_still_pending(editor)
  editor.check_nothing_changed()
  report.equal('the action is still pending', #editor.pending(), 1)
  report.equal('the diagnostics are still there', #vim.diagnostic.get(), 5)
  report.equal('no decision is kept', { #editor.decisions(), #editor.decision_log() }, { 0, 0 })
end

return function(editor)
  editor.dry_run()
  for _, way in ipairs({
    { name = 'Cancel', action = 'Apply "', answer = 'Cancel' },
    { name = 'closing the question', action = 'Apply "', answer = human.CLOSE },
    { name = 'Cancel of a discard', action = 'Discard "', answer = 'Cancel' },
  }) do
    report.say('      ' .. way.name)
    human.forget()
    human.will(way.action, way.answer)
    local outcome = editor.take_code_action()
    report.equal('both questions were asked', #human.questions, 2)
    report.equal('the result is cancelled, and no error', { outcome.err, outcome.result }, { nil, { cancelled = true } })
    report.equal('no message is shown', human.messages, {})
    check_still_pending(editor)
  end
  report.say('      closing the menu')
  human.forget()
  editor.close_menu()
  check_still_pending(editor)
end
