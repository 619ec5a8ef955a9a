-- The configuration for nvim-lspconfig, where that is to start the server:
--   require('lspconfig.configs').xcsh = require('xcsh.lspconfig')
-- Neovim 0.11 and newer have lsp/xcsh.lua and vim.lsp.enable instead.
local server = require('xcsh.server')

local config = server.client_config()
config.root_dir = function()
  return server.root()
end

return { default_config = config }
