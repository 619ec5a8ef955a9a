// Package jsruntime finds a JavaScript runtime on this machine: Node.js, Bun
// or Deno. It starts none: whether one is new enough shows when it runs.
package jsruntime
