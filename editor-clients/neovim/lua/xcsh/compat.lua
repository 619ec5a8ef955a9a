-- Where the API of Neovim 0.7.2, 0.10 and 0.12 differs.
local M = {}

--- The language clients with this name that run. Before 0.10 the list has another
--- name, and no filter in 0.7.
function M.clients(name)
  local all = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
  return vim.tbl_filter(function(client)
    return client.name == name
  end, all)
end

--- Calls a method of a language client: plain functions before 0.11.
function M.call(client, method, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

-- The clients that M.start started, by name and root. Neovim 0.7 lists a client only
-- once it is initialized, and until then each buffer would start another one.
local started = {}

--- Attaches a buffer to the client of this name and root, which is started where
--- none runs. Neovim 0.7 has no vim.lsp.start.
function M.start(config, bufnr)
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = bufnr })
  end
  local key = config.name .. '\n' .. config.root_dir
  local client = started[key] and vim.lsp.get_client_by_id(started[key])
  if not client or client.is_stopped() then
    started[key] = vim.lsp.start_client(config)
  end
  if started[key] then
    vim.lsp.buf_attach_client(bufnr, started[key])
  end
  return started[key]
end

--- A unified diff of two texts.
function M.diff(before, after, options)
  local diff = vim.text and vim.text.diff or vim.diff
  return diff(before, after, options)
end

--- The bytes of a line before a column of the protocol, which is in `encoding`.
function M.byte_index(line, column, encoding)
  if vim.fn.has('nvim-0.11') == 1 then
    return vim.str_byteindex(line, encoding, column, false)
  elseif encoding == 'utf-8' then
    return column
  end
  return vim.str_byteindex(line, column, encoding == 'utf-16')
end

return M
