-- A component for the status line.
local state = require('xcsh.state')

local M = {}

--- `xcsh 2` while two actions are pending, with what tools show after it; '' where
--- there is neither.
function M.text()
  local parts = state.texts()
  local count = state.count()
  if count > 0 then
    table.insert(parts, 1, 'xcsh ' .. count)
  end
  return (table.concat(parts, ' · '):gsub('%%', '%%%%'))
end

return M
