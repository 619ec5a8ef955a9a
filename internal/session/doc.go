// Package session is one workspace session: the pending stack with what each
// action previews, who proposed it and who decides, and the sequence by which an
// edit is applied.
//
// It joins the structural edit (astedit), the stack and its decisions (resolve)
// and the writing of files (atomicfile) for every front end: the language server,
// the shell and agents. It knows no protocol; an editor's documents are behind
// the Host and Editor interfaces.
package session
