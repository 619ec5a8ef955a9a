-- The options of setup{}, with their defaults.
local M = {}

local defaults = {
  cmd = { 'xcsh-lsp' },
  root_dir = nil, -- a path, or a function that returns one; default: the project around the current folder
  autostart = true, -- false where nvim-lspconfig or vim.lsp.enable starts the server
  settings = {}, -- the server's own, without the leading "xcsh"
  review = 'float', -- what :XcshPending opens: 'float' or 'quickfix'
  review_after_replace = true,
  border = 'rounded',
  capabilities = nil, -- to extend; default: Neovim's own
  on_attach = nil,
}

local options = vim.deepcopy(defaults)

local types = {
  cmd = { 'table' },
  root_dir = { 'string', 'function' },
  autostart = { 'boolean' },
  settings = { 'table' },
  review = { 'string' },
  review_after_replace = { 'boolean' },
  border = { 'string', 'table' },
  capabilities = { 'table' },
  on_attach = { 'function' },
}

--- A name that is not known is an error: it would be a slip that nobody sees.
local function check(given)
  for name, value in pairs(given) do
    if not types[name] then
      error('xcsh: setup{} has no option ' .. tostring(name), 0)
    elseif not vim.tbl_contains(types[name], type(value)) then
      error(('xcsh: %s must be a %s, not a %s'):format(name, table.concat(types[name], ' or a '), type(value)), 0)
    end
  end
  if given.review and not vim.tbl_contains({ 'float', 'quickfix' }, given.review) then
    error("xcsh: review must be 'float' or 'quickfix'", 0)
  end
end

--- Takes the options of setup{}. Each call starts from the defaults.
function M.set(given)
  check(given)
  options = vim.tbl_extend('force', vim.deepcopy(defaults), given)
end

function M.get()
  return options
end

return M
