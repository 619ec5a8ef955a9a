// Package subprocess runs a command for a tool (customtools.md 7): no shell,
// output kept within limits, and an end that takes the command's own children
// along.
package subprocess
