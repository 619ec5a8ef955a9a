// Package host runs tool modules in a JavaScript runtime: one process for all,
// in it a worker thread for each generation of a module. It implements
// [customtools.Runtime].
//
// The process is reached over a socket that only this user can open, as
// JSON-RPC, one message a line; its output is no protocol, and goes to the log.
// Its main thread (js/host.mjs) only carries messages; what must end, and when,
// is decided here. A worker that neither answers nor stops is ended; where even
// that cannot be done, because it waits for a child process, the whole process
// is, with everything that tools have started in it. Nothing is ever run twice
// for the sake of a lost answer.
package host
