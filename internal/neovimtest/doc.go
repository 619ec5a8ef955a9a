// Package neovimtest runs the server in real Neovims, headless and with no plugin
// of ours: what a user of any editor without an extension gets.
//
// The scenarios are Lua in testdata, one process each. The environment variable
// XCSH_NVIM lists the editors (`make test` sets it); without it nothing runs. For
// the protocol's many other manners of clients there is internal/lsptest.
package neovimtest
