-- The human at the editor: answers what Neovim and the plugin ask. Menus of code
-- actions come by vim.ui.select; a server's question comes by what blocks in 0.7.2
-- and by vim.ui.select and vim.ui.input from 0.10 on.
local M = { questions = {}, messages = {} }

--- The answer that closes a question without choosing.
M.CLOSE = {}

local answers = {}

--- Answers the next questions, in order, each by the beginning of a choice, by
--- CLOSE, or by a function that does something first and returns one of these.
function M.will(...)
  answers = { ... }
end

local function choose(question, choices)
  table.insert(M.questions, { text = question, choices = choices })
  local answer = table.remove(answers, 1)
  if type(answer) == 'function' then
    answer = answer()
  end
  if answer == nil then
    error('nobody answers: ' .. question .. ' ' .. vim.inspect(choices))
  end
  for i, choice in ipairs(choices) do
    if answer ~= M.CLOSE and choice:sub(1, #answer) == answer then
      return i
    end
  end
  if answer ~= M.CLOSE then
    error('no choice ' .. answer .. ' in ' .. vim.inspect(choices))
  end
end

vim.ui.select = function(items, opts, done)
  local choices = vim.tbl_map(opts.format_item or tostring, items)
  local i = choose(opts.prompt, choices)
  if i then
    done(items[i], i)
  else
    done(nil, nil)
  end
end

vim.fn.inputlist = function(list)
  local choices = {}
  for i = 3, #list do -- after the question and a heading
    choices[#choices + 1] = list[i]:gsub('^%d+%. ', '')
  end
  return choose(list[1], choices) or 0
end

--- Types the next answer, or closes the question. With the plugin alone.
local function type_in(question, default)
  table.insert(M.questions, { text = question, default = default })
  local answer = table.remove(answers, 1)
  if type(answer) == 'function' then
    answer = answer()
  end
  if answer == nil then
    error('nobody answers: ' .. question)
  end
  return answer
end

-- The answer comes later, as with most of the plugins that replace it.
vim.ui.input = function(opts, done)
  local answer = type_in(opts.prompt, opts.default)
  vim.defer_fn(function()
    done(answer ~= M.CLOSE and answer or nil)
  end, 20)
end

-- In 0.7.2 the plugin must ask by what blocks.
vim.fn.input = function(opts)
  local answer = type_in(opts.prompt, opts.default)
  return answer ~= M.CLOSE and answer or opts.cancelreturn
end

vim.fn.confirm = function(question, list)
  local choices = {}
  for _, choice in ipairs(vim.split(list, '\n')) do
    choices[#choices + 1] = choice:gsub('^&%d ', '')
  end
  return choose(question, choices) or 0
end

vim.notify = function(text)
  table.insert(M.messages, text)
end

local show = vim.lsp.handlers['window/showMessage']
vim.lsp.handlers['window/showMessage'] = function(err, result, ctx, config)
  table.insert(M.messages, result.message)
  return show(err, result, ctx, config)
end

--- Whether a message with this text was shown since `forget`.
function M.saw(text)
  for _, message in ipairs(M.messages) do
    if message:find(text, 1, true) then
      return true
    end
  end
  return false
end

function M.forget()
  M.questions, M.messages, answers = {}, {}, {}
end

return M
