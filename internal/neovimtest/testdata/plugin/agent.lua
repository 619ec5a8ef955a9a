-- An agent beside the editor proposes over an unsaved buffer; the human discards with a
-- reason; the agent reads it and proposes again; the human applies.
local human = require('human')
local report = require('report')

local no, yes = 'info is the level for this', 'as I asked'

return function(plugin)
  plugin.start()
  local said, status = {}, nil
  vim.fn.jobstart({ 'node', vim.env.XCSH_TEST_SCRIPTS .. '/agent.mjs', vim.env.XCSH_NPM, vim.env.XCSH_TEST_SERVER }, {
    cwd = vim.env.XCSH_TEST_PROJECT,
    on_stdout = function(_, lines)
      vim.list_extend(said, vim.tbl_filter(function(line)
        return line ~= ''
      end, lines))
    end,
    on_stderr = function(_, lines)
      if lines[1] ~= '' then
        report.say(table.concat(lines, '\n'))
      end
    end,
    on_exit = function(_, code)
      status = code
    end,
  })

  plugin.soon_count(1)
  plugin.soon_previewed()
  human.will('Type a reason', no)
  vim.cmd('XcshDiscard')
  report.soon('the agent hears the reason', function()
    return said[2] == 'Decided: discard. Reason: ' .. no
  end, function()
    return said
  end)
  plugin.check_nothing_changed()

  report.soon('the second proposal is shown', function()
    local shown = vim.tbl_filter(function(d)
      return d.message:find('logger.info', 1, true) ~= nil
    end, vim.diagnostic.get())
    return #shown == 5
  end, vim.diagnostic.get)
  human.will('Apply "', 'Type a reason', yes)
  plugin.take_code_action()
  plugin.check_applied()
  report.soon('the agent has ended', function()
    return status ~= nil
  end)
  report.equal('what the agent learnt', { status, said },
    { 0, { 'sees what is not saved', 'Decided: discard. Reason: ' .. no, 'sees what is not saved', 'Decided: apply. Reason: ' .. yes } })
  plugin.check_decided(2, 'apply', yes, 'typed')
  plugin.stop()
end
