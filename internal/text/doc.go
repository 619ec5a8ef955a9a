// Package text is the one place for positions, encodings and byte edits.
//
// Everything inside the program addresses text by byte offsets into one
// immutable content; [Mapper] turns them into the line and column pairs of an
// editor and back, once, at the edge. The package knows neither the wire types
// of the Language Server Protocol nor files.
//
// Contents need not be valid UTF-8: every byte that is not part of a valid
// encoding counts as one character and as one unit in every [Encoding].
package text
