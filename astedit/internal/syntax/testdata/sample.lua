-- A small module
local M = {}
local json = require("json")
local limit, name = 10, 'none'

--[[ a block
comment ]]
function M.add(order, line, ...)
  if #order.lines >= limit then
    return nil, "full: " .. #order.lines
  elseif line == nil then
    error('no line')
  else
    table.insert(order.lines, line)
  end
  local extra = { ... }
  for i, v in ipairs(extra) do print(i, v) end
  for i = 1, 10, 2 do order.count = order.count + i end
  return order
end

function M:total()
  local sum = 0
  for _, l in pairs(self.lines) do
    sum = sum + l.price * l.count
  end
  while sum > 100 and not self.free do sum = sum - 1 end
  repeat sum = sum // 2 until sum <= 10 or sum == 3
  return sum
end

local t = { 1, 2, x = 3, ["key"] = "v\n", nested = { a = true } }
local text = [[raw
text]]
local f = function(a, b) return a ^ b, a ~= b end
print(M.add({ lines = {} }, "a"), t.x, t["key"], f(1, 2), ("x"):rep(3))
do local x = 5; print(x) end
return M
