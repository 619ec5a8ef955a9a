-- Discard with a ready-made reason, by the command and by the code action.
local human = require('human')

local reason = 'Not the change I want'

return function(plugin)
  plugin.start({ review_after_replace = false })
  plugin.propose()
  plugin.soon_count(1)
  human.will(reason)
  vim.cmd('XcshDiscard')
  plugin.soon_count(0)
  plugin.soon_asked(1)
  plugin.check_nothing_changed()
  plugin.soon_said('a message says the outcome', 'Discard: 5 replacements in 3 files [AST Edit]\n' .. reason)
  plugin.check_decided(1, 'discard', reason, 'chosen')

  plugin.propose()
  plugin.soon_count(1)
  plugin.soon_previewed()
  human.will('Discard "', 'Not now')
  plugin.take_code_action()
  plugin.soon_count(0)
  plugin.check_nothing_changed()
  plugin.check_decided(2, 'discard', 'Not now', 'chosen')
  plugin.stop()
end
