-- The buffer changes while the menu is open, so that the outcome would be another
-- than the one that was seen: refused, and applied only after another look.
local human = require('human')
local project = require('project')
local report = require('report')

local reason = 'Tests pass with it'
local refusal = 'Preview is out of date: a.ts. It has been refreshed; review it and resolve again.'

--- Another argument for the call behind the emoji.
local function retype(text)
  return (text:gsub('%(smile, name%)', '(smile, name, 1)'))
end

return function(editor)
  local before = editor.dry_run().details.pending
  human.will(function()
    local line = editor.go_to('console.log(smile, name)')
    local text = vim.api.nvim_buf_get_lines(editor.a, line, line + 1, false)[1]
    vim.api.nvim_buf_set_lines(editor.a, line, line + 1, false, { retype(text) })
    return 'Apply "'
  end, reason)
  local outcome = editor.take_code_action()
  report.equal('the apply is refused as out of date', outcome.err and outcome.err.message, refusal)
  report.equal('its data says stale', outcome.err and outcome.err.data.kind, 'stale')
  report.soon('the user is told', function()
    return human.saw(refusal)
  end, function()
    return human.messages
  end)
  report.equal('a.ts in the editor has what was typed and nothing else', editor.text(editor.a), retype(editor.a_as_typed()))
  report.equal('b.ts on disk is as it was', project.read('b.ts'), project.b)
  report.equal('c.ts in the editor is as it was', editor.text(editor.c), project.c)
  report.equal('no decision is kept', { #editor.decisions(), #editor.decision_log() }, { 0, 0 })

  report.soon('the preview follows the text', function()
    return vim.diagnostic.get(editor.a)[1].message == 'console.log(smile, name, 1) → logger.info(smile, name, 1)'
  end, vim.diagnostic.get)
  local now = editor.pending()[1]
  report.equal('the action has kept its id', now.id, before.id)
  report.check('and has a new revision', now.revision > before.revision, { before = before, now = now })

  human.forget()
  human.will('Apply "', reason)
  outcome = editor.take_code_action()
  report.check('after another look it is applied', not outcome.err, outcome.err)
  report.equal('a.ts in the editor has the new text', editor.text(editor.a), project.edited(retype(editor.a_as_typed())))
  report.equal('c.ts in the editor has the new text', editor.text(editor.c), project.edited(project.c))
  report.equal('b.ts is changed on disk and keeps its CRLF', project.read('b.ts'), project.edited(project.b))
  editor.soon_no_diagnostics()
  report.equal('one decision is kept', #editor.decisions(), 1)
end
