// Package contentstore keeps contents on disk under their hashes, within a limit:
// the oldest go first. Each is a compressed file of its own, whole or not there,
// however a process ends; what is read back is checked against its hash.
//
// The package does not know what the contents are. It is no cache: what has been
// dropped is gone, and readers are told so.
package contentstore
