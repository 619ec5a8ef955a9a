-- :XcshReplace: proposes a structural edit. The server asks for what is missing.
local client = require('xcsh.client')
local config = require('xcsh.config')
local notify = require('xcsh.notify')

local M = {}

--- Splits `pattern => replacement`. Without an arrow all of it is a pattern, and a
--- first draft of one.
local function parse(args)
  local pat, out = args:match('^(.-)%s+=>%s*(.*)$')
  if pat then
    return pat, out
  end
  return args ~= '' and args or nil, nil
end

--- The code of the range: what is selected, where the range is the last visual
--- selection, else whole lines.
local function selected(first, last)
  local from, to = vim.api.nvim_buf_get_mark(0, '<'), vim.api.nvim_buf_get_mark(0, '>')
  local lines = vim.api.nvim_buf_get_lines(0, first - 1, last, false)
  local is_selection = from[1] == first and to[1] == last and vim.fn.visualmode() == 'v'
  if is_selection and #lines > 0 then
    local end_line = lines[#lines]
    local end_char = vim.fn.matchstr(end_line, '.', to[2]) -- to[2] is where it begins
    lines[#lines] = end_line:sub(1, to[2] + #end_char)
    lines[1] = lines[1]:sub(from[2] + 1)
  end
  return table.concat(lines, '\n')
end

local function show(result)
  if result.cancelled then
    return
  end
  local pending = result.details and result.details.pending
  if not pending then
    notify.info(client.text_of(result))
  elseif config.get().review_after_replace then
    require('xcsh.review').open(pending.id)
  else
    notify.info(pending.label)
  end
end

--- Proposes. `request` has pat, out, lang and scope, all of which may be missing.
function M.propose(request)
  local server = client.current()
  if server then
    client.execute(server, 'xcsh.replace', request or {}, show)
  end
end

--- Runs the command with its arguments as Neovim gives them. With a range, the
--- selection is the first draft of the pattern; with !, only this file is searched.
function M.command(opts)
  local pat, out = parse(opts.args)
  if opts.range > 0 then
    pat = pat or selected(opts.line1, opts.line2)
  end
  M.propose({ pat = pat, out = out, scope = opts.bang and vim.api.nvim_buf_get_name(0) or nil })
end

return M
