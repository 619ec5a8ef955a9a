-- Dry run, discard with a ready-made reason: nothing is changed.
local human = require('human')
local project = require('project')
local report = require('report')

local reason = 'Not the change I want'

return function(editor)
  editor.dry_run()
  human.will('Discard "', reason)
  local outcome = editor.take_code_action()
  report.equal('the reason is asked for with ready-made ones', human.questions[2].choices, { reason, 'Not now', 'Cancel' })
  report.check('the command succeeds', not outcome.err, outcome.err)
  editor.soon_no_diagnostics()
  editor.check_nothing_changed()
  report.equal('nothing is pending', #editor.pending(), 0)
  report.soon('a message says the outcome', function()
    return human.saw('Discard: 5 replacements in 3 files [AST Edit]\n' .. reason)
  end, function()
    return human.messages
  end)
  local decisions = editor.decisions()
  report.equal('one decision is kept', { #decisions, #editor.decision_log() }, { 1, 1 })
  local kept = decisions[1]
  report.equal('it says what was decided, why, and that the reason was chosen',
    { kept.action, kept.reason, kept.reasonFrom, kept.label }, { 'discard', reason, 'chosen', project.label })
end
