-- The change under the cursor, and the places of all changes.
local report = require('report')

return function(plugin)
  plugin.start({ review_after_replace = false })
  plugin.propose()
  plugin.soon_count(1)
  plugin.soon_previewed()
  plugin.go_to('console.log(smile, name)')
  vim.cmd('XcshHunk')
  plugin.soon_float('the whole line is shown as it is', "-  const smile = '😀'; console.log(smile, name);")
  plugin.soon_float('and as it would be', "+  const smile = '😀'; logger.info(smile, name);")
  report.check('no other change is shown', not plugin.float_text():find('later', 1, true), plugin.float_text())
  plugin.press('q')
  plugin.soon_no_float()
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd('XcshHunk')
  plugin.soon_said('elsewhere there is none', 'nothing is pending here')

  local line, column = plugin.go_to('console.log(smile, name)')
  vim.cmd('XcshPending quickfix')
  report.soon('the quickfix list has all changes', function()
    return #vim.fn.getqflist() == 5
  end, vim.fn.getqflist)
  local first = vim.fn.getqflist()[1]
  report.equal('behind the emoji the place is exact', { first.bufnr, first.lnum, first.col }, { plugin.a, line + 1, column + 1 })
  report.equal('and says what would change', first.text, 'console.log(smile, name) → logger.info(smile, name)')
  vim.cmd('cclose')

  vim.cmd('XcshPending float')
  plugin.soon_float('the preview opens', '@@ line 2 @@')
  plugin.float_go_to('+logger.info(smile, name)')
  plugin.press('<CR>')
  plugin.soon_no_float()
  report.equal('Enter goes to the change', { vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0) }, { plugin.a, { line + 1, column } })

  vim.cmd('XcshPending float')
  plugin.soon_float('the preview opens again', '@@ line 2 @@')
  plugin.float_go_to('+logger.info(smile, name)')
  plugin.press('s')
  report.soon('s opens two windows in diff mode', function()
    return vim.fn.tabpagenr('$') == 2 and #vim.api.nvim_tabpage_list_wins(0) == 2 and vim.wo.diff
  end, vim.api.nvim_list_wins)
  report.equal('one is the live buffer', vim.api.nvim_get_current_buf(), plugin.a)
  plugin.check_nothing_changed()
  plugin.stop()
end
