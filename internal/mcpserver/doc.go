// Package mcpserver offers the tools of a workspace session to an agent, over the
// Model Context Protocol. It holds no edit and decides nothing: every call is one of
// the server's commands, in the session of the human's editor where one runs for the
// workspace, else in one of its own.
package mcpserver
