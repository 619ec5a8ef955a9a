// Package ignore reads ignore files as git does and says what they exclude.
//
// It walks nothing: a caller enters directories from the top down and asks
// about the paths in them. [Patterns] alone are a pure function of their text.
package ignore
