// Package lsptest is an editor for the tests of a language server: it speaks the
// protocol over a stream, has documents of its own, and changes them as the
// server asks, in the manners of a given editor, bad ones included.
//
// It knows the protocol's wire and nothing of the server's packages. It is not a
// mock: what it answers follows from its documents and its [Manners], and a
// server that sends what the client did not say that it takes fails the test.
package lsptest
