-- Answers what the server asks the human: xcsh/input and xcsh/quickPick.
local ask = require('xcsh.ask')

local M = {}

local TYPE = 'Type a reason…'

local function prompt_of(params)
  local prompt = params.title
  if params.prompt and params.prompt ~= params.title then
    prompt = prompt .. ': ' .. params.prompt
  end
  if params.placeHolder and params.placeHolder ~= '' then
    prompt = prompt .. ' (' .. params.placeHolder .. ')'
  end
  return prompt .. ' '
end

local function type_in(params)
  local value = ask.input({ prompt = prompt_of(params), default = params.value or '', secret = params.password })
  return value and { value = value } or vim.NIL
end

--- Answers xcsh/input. Ready-made answers come first, and typing one last.
function M.input(_, params)
  local choices = params.choices or {}
  if #choices == 0 then
    return type_in(params)
  end
  local items = vim.list_extend(vim.list_extend({}, choices), { TYPE })
  local index = ask.select(items, prompt_of(params))
  if not index then
    return vim.NIL
  elseif index <= #choices then
    return { value = choices[index], chosen = true }
  end
  return type_in(params)
end

local function label_of(item)
  return item.description and item.label .. ' · ' .. item.description or item.label
end

--- Answers xcsh/quickPick. Many are picked one after the other, until the question
--- is closed by its first item.
function M.quick_pick(_, params)
  local labels = vim.tbl_map(label_of, params.items)
  if not params.canPickMany then
    local index = ask.select(labels, params.title)
    return index and { items = { index - 1 } } or vim.NIL
  end
  return M.pick_many(labels, params.title)
end

function M.pick_many(labels, title)
  local picked = {}
  while true do
    local items = { 'Done' }
    for i, label in ipairs(labels) do
      items[#items + 1] = (picked[i] and '[x] ' or '[ ] ') .. label
    end
    local index = ask.select(items, title)
    if not index then
      return vim.NIL
    elseif index == 1 then
      break
    end
    picked[index - 1] = not picked[index - 1]
  end
  local indexes = {}
  for i in ipairs(labels) do
    if picked[i] then
      indexes[#indexes + 1] = i - 1
    end
  end
  return { items = indexes }
end

return M
