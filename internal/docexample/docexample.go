// Package docexample reads the code of a documentation page, so that tests can do
// what its reader does. It is for tests only.
package docexample

import (
	"fmt"
	"os"
	"regexp"
)

// Files returns the TypeScript files of a page, by the path that the comment in
// the first line of each block names. The error names a page that has none.
func Files(page string) (map[string]string, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, block := range regexp.MustCompile("(?s)```ts\n// (\\S+)\n(.*?)```").FindAllSubmatch(text, -1) {
		found[string(block[1])] = string(block[2])
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s has no TypeScript block that begins with the path of its file", page)
	}
	return found, nil
}
