-- One line a check, so that a run can be read and quoted.
local M = {}
local passed, failed = 0, 0

local function show(value)
  return type(value) == 'string' and value or vim.inspect(value)
end

function M.say(text)
  io.stdout:write(text .. '\n')
end

--- Notes whether `ok` holds; `seen` is shown where it does not.
function M.check(name, ok, seen)
  if ok then
    passed = passed + 1
    M.say('ok    ' .. name)
  else
    failed = failed + 1
    M.say('FAIL  ' .. name .. '\n      seen: ' .. show(seen))
  end
end

function M.equal(name, got, want)
  M.check(name, vim.deep_equal(got, want), { got = got, want = want })
end

--- Waits until `holds` returns true, and checks that it did.
function M.soon(name, holds, seen)
  local ok = vim.wait(5000, holds, 10)
  M.check(name, ok, not ok and seen and seen() or nil)
end

--- Closes the report; false where a check failed or none was made.
function M.finish()
  M.say(string.format('%d checks passed, %d failed', passed, failed))
  return failed == 0 and passed > 0
end

return M
