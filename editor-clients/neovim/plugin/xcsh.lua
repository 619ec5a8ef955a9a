-- The commands. They are there before setup{} is called, and load what they need
-- when they are run.
if vim.g.loaded_xcsh then
  return
end
vim.g.loaded_xcsh = true

local function command(name, run, options)
  vim.api.nvim_create_user_command(name, run, options)
end

local function reason_of(opts)
  return opts.args ~= '' and opts.args or nil
end

command('XcshReplace', function(opts)
  require('xcsh.replace').command(opts)
end, { nargs = '*', range = true, bang = true, desc = 'Propose a structural edit: pattern => replacement' })

command('XcshPending', function(opts)
  require('xcsh.review').open(nil, reason_of(opts))
end, {
  nargs = '?',
  complete = function()
    return { 'float', 'quickfix' }
  end,
  desc = 'Show the newest pending edit',
})

command('XcshApply', function(opts)
  require('xcsh').apply(reason_of(opts))
end, { nargs = '*', desc = 'Apply the newest pending edit' })

command('XcshDiscard', function(opts)
  require('xcsh').discard(reason_of(opts))
end, { nargs = '*', desc = 'Discard the newest pending edit' })

command('XcshDecisions', function()
  require('xcsh').decisions()
end, { desc = 'Show what was decided, and revert it' })

command('XcshHunk', function()
  require('xcsh').hunk()
end, { desc = 'Show the pending change under the cursor' })

command('XcshRestart', function()
  require('xcsh.attach').restart()
end, { desc = 'Restart the server' })

vim.api.nvim_create_autocmd('User', {
  group = vim.api.nvim_create_augroup('xcsh_review', { clear = true }),
  pattern = 'XcshPendingChanged',
  callback = function()
    if package.loaded['xcsh.review'] then
      require('xcsh.review').pending_changed()
    end
  end,
})
