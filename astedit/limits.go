package astedit

import "strconv"

// DefaultMaxFiles is how many files one edit may change where nothing else is
// set: more than a human can review.
const DefaultMaxFiles = 1000

// MaxFilesFromEnv reads the cap on files from the environment (ast_edit.md 9.2):
// PI_MAX_AST_FILES, or XCSH_MAX_AST_FILES where that is unset. Leading digits
// suffice; ok is false where there is no number above 0.
func MaxFilesFromEnv(getenv func(string) string) (n int, ok bool) {
	value := getenv("PI_MAX_AST_FILES")
	if value == "" {
		value = getenv("XCSH_MAX_AST_FILES")
	}
	end := 0
	for end < len(value) && '0' <= value[end] && value[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(value[:end])
	return n, err == nil && n > 0
}
