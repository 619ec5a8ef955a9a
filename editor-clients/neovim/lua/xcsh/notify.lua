-- Short messages, all with the same mark.
local M = {}

local function show(text, level)
  vim.notify('xcsh: ' .. text, level)
end

function M.info(text)
  show(text, vim.log.levels.INFO)
end

function M.warn(text)
  show(text, vim.log.levels.WARN)
end

function M.error(text)
  show(text, vim.log.levels.ERROR)
end

return M
