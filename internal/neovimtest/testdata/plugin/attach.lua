-- Every buffer of a file is attached, whenever it comes, and no other buffer.
local human = require('human')
local project = require('project')
local report = require('report')

return function(plugin)
  plugin.load()
  vim.cmd('XcshApply')
  plugin.soon_said('without a server the user is told what to do', "Call require('xcsh').setup{}")
  local ok, err = pcall(require('xcsh').setup, { comand = {} })
  report.equal('a slip in an option is an error', { ok, err }, { false, 'xcsh: setup{} has no option comand' })
  ok, err = pcall(require('xcsh').setup, { cmd = 'xcsh-lsp' })
  report.equal('and so is a wrong type', { ok, err }, { false, 'xcsh: cmd must be a table, not a string' })

  plugin.open_project()
  require('xcsh').setup({ cmd = { '/nowhere/xcsh-lsp' } })
  report.check('a server that is not there is reported', human.saw('/nowhere/xcsh-lsp is not to be found'), human.messages)
  human.forget()
  plugin.start()
  vim.cmd('edit ' .. project.path('b.ts'))
  local client = plugin.clients()[1]
  local function soon_has(name, buf)
    report.soon(name, function()
      return client.attached_buffers[buf]
    end)
  end
  soon_has('a file that is opened', vim.api.nvim_get_current_buf())
  vim.cmd('edit ' .. project.path('notes'))
  soon_has('a file that is new and of no language', vim.api.nvim_get_current_buf())
  vim.cmd('enew')
  local scratch = vim.api.nvim_get_current_buf()
  vim.cmd('file ' .. project.path('d.ts'))
  soon_has('a buffer that gets a name', scratch)
  vim.cmd('new')
  vim.bo.buftype = 'nofile'
  vim.cmd('file scratch')
  local nofile = vim.api.nvim_get_current_buf()
  vim.wait(50)
  report.check('no buffer without a file', not client.attached_buffers[nofile], nofile)
  report.equal('all by one server', #plugin.clients(), 1)
  plugin.stop()
end
