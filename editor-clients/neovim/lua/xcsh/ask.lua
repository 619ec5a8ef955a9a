-- Questions to the human, for code that goes on only with the answer. Nil means
-- that the question was dismissed.
--
-- From 0.8 on Neovim runs the handler of a server's request in a coroutine, which
-- may wait while the editor goes on; so any vim.ui.input and vim.ui.select will do.
-- In 0.7 the handler must return with the answer: only the prompts that block can
-- be used there, as Neovim itself does for window/showMessageRequest.
local M = {}

--- How many choices have a key of their own, the digits.
local MAX_KEYS = 9

local function may_wait()
  local routine, is_main = coroutine.running()
  return routine ~= nil and not is_main
end

--- Waits for what `ask` gives to the function that it is called with. That may be
--- before `ask` returns; only the first answer counts.
local function await(ask)
  local routine = coroutine.running()
  local answered = false
  ask(function(...)
    if answered then
      return
    end
    answered = true
    local answer = { ... }
    vim.schedule(function()
      coroutine.resume(routine, answer)
    end)
  end)
  return unpack(coroutine.yield())
end

--- Nil where the prompt was left with Ctrl-C, which is an error in Lua.
local function blocking(prompt, ...)
  local ok, answer = pcall(prompt, ...)
  return ok and answer or nil
end

local function is_builtin(f)
  return debug.getinfo(f, 'S').source:match('vim/ui%.lua$') ~= nil
end

--- Lets the human choose with one key: a digit, or Enter for the first choice.
local function choose_by_key(items, prompt)
  local choices = {}
  for i, item in ipairs(items) do
    choices[i] = '&' .. i .. ' ' .. item:gsub('&', '&&')
  end
  local index = blocking(vim.fn.confirm, prompt, table.concat(choices, '\n'), 1)
  return items[index] and index
end

local function choose_by_list(items, prompt)
  local lines = { prompt }
  for i, item in ipairs(items) do
    lines[#lines + 1] = i .. ': ' .. item
  end
  local index = blocking(vim.fn.inputlist, lines)
  return items[index] and index
end

--- The index of the item that the human takes.
function M.select(items, prompt)
  if may_wait() and not is_builtin(vim.ui.select) then
    local _, index = await(function(done)
      vim.ui.select(items, { prompt = prompt, kind = 'xcsh' }, done)
    end)
    return index
  end
  return (#items <= MAX_KEYS and choose_by_key or choose_by_list)(items, prompt)
end

--- The text that the human types; '' is an answer. `question` has prompt and
--- default, and secret for a password.
function M.input(question)
  if question.secret then
    return blocking(vim.fn.inputsecret, question.prompt)
  elseif may_wait() then
    return (await(function(done)
      vim.ui.input({ prompt = question.prompt, default = question.default }, done)
    end))
  end
  local dismissed = '\27'
  local text = blocking(vim.fn.input, { prompt = question.prompt, default = question.default, cancelreturn = dismissed })
  return text ~= dismissed and text or nil
end

return M
