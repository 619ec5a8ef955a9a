-- The file changes while the reason is typed: refused, and the window shows the new
-- preview, which is then applied.
local human = require('human')
local project = require('project')
local report = require('report')

local refusal = 'Preview is out of date: a.ts. It has been refreshed; review it and resolve again.'

local function retype(text)
  return (text:gsub('%(smile, name%)', '(smile, name, 1)'))
end

return function(plugin)
  plugin.start()
  plugin.propose()
  plugin.soon_float('the preview opens', '-console.log(smile, name)')
  human.will(function()
    local line = vim.api.nvim_buf_get_lines(plugin.a, 1, 2, false)[1]
    vim.api.nvim_buf_set_lines(plugin.a, 1, 2, false, { retype(line) })
    return 'Reviewed'
  end)
  plugin.press('a')
  plugin.soon_said('the user is told', refusal)
  report.equal('a.ts has what was typed and nothing else', plugin.text(plugin.a), retype(plugin.a_as_typed()))
  report.equal('b.ts is as it was', project.read('b.ts'), project.b)
  report.equal('no decision is kept', #plugin.decisions(), 0)
  plugin.soon_float('the window shows the new preview', '+logger.info(smile, name, 1)')

  human.forget()
  human.will('Tests pass')
  plugin.press('a')
  plugin.soon_no_float()
  report.equal('after another look it is applied', plugin.text(plugin.a), project.edited(retype(plugin.a_as_typed())))
  plugin.check_decided(1, 'apply', 'Tests pass with it', 'chosen')
  plugin.stop()
end
