-- For vim.lsp.enable('xcsh'), from Neovim 0.11 on.
local server = require('xcsh.server')

local config = server.client_config()
config.root_dir = function(_, on_dir)
  on_dir(server.root())
end

return config
