-- The project that the scenarios edit: three files, each in another state.
local M = { dir = vim.env.XCSH_TEST_PROJECT }

local function lines(list, ending)
  return table.concat(list, ending) .. ending
end

--- a.ts is open and has an unsaved change; an emoji stands before a match.
M.a = lines({
  'export function greet(name: string) {',
  "  const smile = '😀'; console.log(smile, name);",
  '}',
}, '\n')

--- b.ts is not open and has Windows line ends.
M.b = lines({ 'export function bye() {', "  console.log('bye');", "  console.log('for good');", '}' }, '\r\n')

--- c.ts is open as it is on disk.
M.c = lines({ "console.log('c');" }, '\n')

--- The same file once the edit is applied.
function M.edited(content)
  return (content:gsub('console%.log', 'logger.info'))
end

--- What the user has typed at the end of a.ts and not saved.
M.typed = { '// typed, not saved', "export const later = () => console.log('é', 'later');" }

M.request = { ops = { { pat = 'console.log($$$ARGS)', out = 'logger.info($$$ARGS)' } } }
M.label = 'AST Edit: 5 replacements in 3 files'

function M.path(name)
  return M.dir .. '/' .. name
end

function M.create()
  vim.fn.mkdir(M.dir, 'p')
  for _, name in ipairs({ 'a', 'b', 'c' }) do
    local file = assert(io.open(M.path(name .. '.ts'), 'wb'))
    file:write(M[name])
    file:close()
  end
end

--- The bytes of a file as they are on disk.
function M.read(name)
  local file = assert(io.open(M.path(name), 'rb'))
  local content = file:read('*a')
  file:close()
  return content
end

return M
