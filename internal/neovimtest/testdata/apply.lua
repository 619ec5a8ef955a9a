-- Dry run, look, apply with a ready-made reason, save.
local human = require('human')
local project = require('project')
local report = require('report')

local reason = 'Reviewed: the change is right'

local function check_diagnostics(editor)
  local found = vim.diagnostic.get(editor.a)
  table.sort(found, function(x, y)
    return x.lnum < y.lnum
  end)
  local line, column = editor.go_to('console.log(smile, name)')
  local first = found[1]
  report.equal('behind the emoji the range is exact', { first.lnum, first.col, first.end_lnum, first.end_col },
    { line, column, line, column + #'console.log(smile, name)' })
  report.equal('it shows before and after', first.message, 'console.log(smile, name) → logger.info(smile, name)')
  report.equal('its source is xcsh', first.source, 'xcsh')
  line, column = editor.go_to("console.log('é', 'later')")
  report.equal('the unsaved line is previewed too', { found[2].lnum, found[2].col, found[2].end_col },
    { line, column, column + #"console.log('é', 'later')" })
end

--- The text of the floating window, or nil.
local function float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
    end
  end
end

local function check_hover(editor)
  editor.go_to('console.log(smile, name)')
  vim.lsp.buf.hover()
  report.soon('hover opens a window', float)
  local text = float() or ''
  report.check('hover shows the diff', text:find('-console.log(smile, name)', 1, true) and text:find('+logger.info(smile, name)', 1, true), text)
end

local function check_questions()
  local menu, why = human.questions[1], human.questions[2]
  report.equal('the menu offers apply and discard', menu.choices,
    { 'Apply "' .. project.label .. '"…', 'Discard "' .. project.label .. '"…' })
  report.equal('the reason is asked for with ready-made ones', why.choices, { reason, 'Tests pass with it', 'Cancel' })
end

local function check_decision(editor)
  local decisions = editor.decisions()
  report.equal('one decision is kept', { #decisions, #editor.decision_log() }, { 1, 1 })
  local kept = decisions[1]
  report.equal('it says what was decided, why, and that the reason was chosen',
    { kept.action, kept.reason, kept.reasonFrom, kept.decidedBy.kind, kept.decidedBy.name },
    { 'apply', reason, 'chosen', 'human', 'Neovim' })
  report.equal('it names three verified files', vim.tbl_map(function(file)
    return file.verified
  end, kept.files), { true, true, true })
end

return function(editor)
  editor.dry_run()
  check_diagnostics(editor)
  check_hover(editor)
  editor.check_nothing_changed()

  human.will('Apply "', reason)
  local outcome = editor.take_code_action()
  check_questions()
  report.check('the command succeeds', not outcome.err, outcome.err)

  local a = project.edited(editor.a_as_typed())
  report.equal('a.ts in the editor has the new text, the unsaved part with it', editor.text(editor.a), a)
  report.equal('c.ts in the editor has the new text', editor.text(editor.c), project.edited(project.c))
  report.equal('a.ts on disk waits for the user to save', project.read('a.ts'), project.a)
  report.equal('c.ts on disk waits for the user to save', project.read('c.ts'), project.c)
  report.equal('b.ts is changed on disk and keeps its CRLF', project.read('b.ts'), project.edited(project.b))
  editor.soon_no_diagnostics()
  report.equal('nothing is pending', #editor.pending(), 0)
  report.soon('a message says the outcome', function()
    return human.saw('Accept: 5 replacements in 3 files [AST Edit]\n' .. reason)
  end, function()
    return human.messages
  end)
  report.check('it names what is left unsaved', human.saw('Not saved yet: a.ts, c.ts.'), human.messages)
  check_decision(editor)

  vim.cmd('wall')
  report.equal('a.ts is saved as it was previewed', project.read('a.ts'), a)
  report.equal('c.ts is saved as it was previewed', project.read('c.ts'), project.edited(project.c))
end
