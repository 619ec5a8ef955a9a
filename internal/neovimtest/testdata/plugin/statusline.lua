-- The status line follows the stack.
local report = require('report')

local function shown()
  return vim.api.nvim_eval_statusline("%{%v:lua.require'xcsh'.statusline()%}", {}).str
end

local function soon_shown(text)
  report.soon('the status line shows "' .. text .. '"', function()
    return shown() == text
  end, shown)
end

return function(plugin)
  plugin.load()
  report.equal('before setup it is empty', shown(), '')
  plugin.start({ review_after_replace = false })
  local told = 0
  vim.api.nvim_create_autocmd('User', {
    pattern = 'XcshPendingChanged',
    callback = function()
      told = told + 1
    end,
  })
  soon_shown('')
  plugin.propose()
  soon_shown('xcsh 1')
  plugin.propose('greet', 'hello')
  soon_shown('xcsh 2')
  vim.cmd('XcshDiscard one')
  soon_shown('xcsh 1')
  vim.cmd('XcshDiscard two')
  soon_shown('')
  report.check('an event told of each change', told >= 4, told)
  plugin.stop()
end
