-- Something else starts the server with the plugin's configuration, as nvim-lspconfig
-- does, and vim.lsp.enable from 0.11 on. Another server without it runs beside it.
local human = require('human')
local project = require('project')
local report = require('report')

--- What nvim-lspconfig does with a configuration that has no file types.
local function start_as_lspconfig(definition, overrides)
  local config = vim.tbl_deep_extend('force', definition.default_config, overrides)
  config.root_dir = config.root_dir(vim.api.nvim_buf_get_name(0))
  local id = vim.lsp.start_client(config)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    vim.lsp.buf_attach_client(buf, id)
  end
end

local function start(plugin)
  require('xcsh').setup({ autostart = false, cmd = { vim.env.XCSH_TEST_SERVER }, root_dir = project.dir })
  if vim.fn.has('nvim-0.11') == 1 then
    vim.lsp.enable('xcsh')
    for _, buf in ipairs({ plugin.a, plugin.c }) do
      vim.api.nvim_exec_autocmds('FileType', { buffer = buf })
    end
  else
    start_as_lspconfig(require('xcsh.lspconfig'), { flags = { debounce_text_changes = 10 } })
  end
end

local function start_another(plugin)
  local id = vim.lsp.start_client({ name = 'other', cmd = { vim.env.XCSH_TEST_SERVER }, root_dir = project.dir })
  vim.lsp.buf_attach_client(plugin.c, id)
  report.soon('another server is initialized', function()
    return vim.lsp.get_client_by_id(id).initialized
  end)
  return vim.lsp.get_client_by_id(id)
end

return function(plugin)
  plugin.load()
  plugin.open_project()
  start(plugin)
  plugin.soon_attached()
  local other = start_another(plugin)
  plugin.propose()
  plugin.soon_float('the preview opens', project.label)
  human.will('Type a reason', 'asked in the same way')
  plugin.press('a')
  plugin.soon_no_float()
  plugin.check_applied()
  plugin.check_decided(1, 'apply', 'asked in the same way', 'typed')
  report.equal('no other client has the handlers', other.handlers['xcsh/input'], nil)
  report.equal('nor has Neovim itself', rawget(vim.lsp.handlers, 'xcsh/input'), nil)
  vim.cmd('XcshRestart')
  plugin.soon_said('who did not start it does not restart it', 'was not started by setup{}')
  require('xcsh.compat').call(other, 'stop')
  plugin.stop()
end
