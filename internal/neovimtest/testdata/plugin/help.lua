-- :help knows every command, and every link in it leads somewhere.
local report = require('report')

return function(plugin)
  plugin.load()
  local doc = vim.env.XCSH_TEST_PLUGIN .. '/doc'
  local copy = vim.fn.tempname()
  vim.fn.mkdir(copy .. '/doc', 'p')
  vim.fn.writefile(vim.fn.readfile(doc .. '/xcsh.txt'), copy .. '/doc/xcsh.txt')
  vim.cmd('helptags ' .. copy .. '/doc')
  vim.opt.runtimepath:append(copy)
  local missing = {}
  for name in pairs(vim.api.nvim_get_commands({})) do
    if name:match('^Xcsh') and not pcall(vim.cmd, 'help :' .. name) then
      missing[#missing + 1] = name
    end
  end
  report.equal('every command has its help', missing, {})
  local text = table.concat(vim.fn.readfile(doc .. '/xcsh.txt'), '\n')
  for link in text:gmatch('|([^|%s]+)|') do
    if not pcall(vim.cmd, 'help ' .. link) then
      missing[#missing + 1] = link
    end
  end
  report.equal('no link leads nowhere', missing, {})
end
