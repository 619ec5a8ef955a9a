package jsruntime

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// usual lists the files of a kind in the folders where installers and version
// managers put it, newest version first: a program that was started from a
// desktop does not have the PATH of a shell.
func (s Search) usual(kind Kind) []string {
	name := string(kind)
	if s.GOOS == "windows" {
		name += ".exe"
	}
	var files []string
	for _, folder := range s.folders(kind) {
		pattern := filepath.Join(folder, name)
		if !strings.Contains(folder, "*") {
			if s.Exists(pattern) {
				files = append(files, pattern)
			}
			continue
		}
		versions := s.Glob(pattern)
		slices.SortFunc(versions, func(a, b string) int { return slices.Compare(numbers(b), numbers(a)) })
		files = append(files, versions...)
	}
	return files
}

func (s Search) folders(kind Kind) []string {
	if s.GOOS == "windows" {
		return s.inHome(windowsFolders(kind), `C:\Program Files\nodejs`)
	}
	return s.inHome(homeFolders(kind), "/usr/local/bin", "/opt/homebrew/bin", "/usr/bin", "/opt/local/bin", "/snap/bin")
}

func (s Search) inHome(relative []string, absolute ...string) []string {
	if s.Home == "" {
		return absolute
	}
	var folders []string
	for _, folder := range relative {
		folders = append(folders, filepath.Join(s.Home, folder))
	}
	return append(folders, absolute...)
}

func homeFolders(kind Kind) []string {
	switch kind {
	case Bun:
		return []string{".bun/bin", ".local/bin", ".local/share/mise/shims", ".asdf/shims"}
	case Deno:
		return []string{".deno/bin", ".local/bin", ".local/share/mise/shims", ".asdf/shims"}
	}
	return []string{
		".volta/bin", ".local/share/mise/shims", ".asdf/shims", ".local/bin",
		".nvm/versions/node/*/bin",
		".local/share/fnm/node-versions/*/installation/bin",
		"Library/Application Support/fnm/node-versions/*/installation/bin",
	}
}

func windowsFolders(kind Kind) []string {
	switch kind {
	case Bun:
		return []string{`.bun\bin`}
	case Deno:
		return []string{`.deno\bin`}
	}
	return []string{`AppData\Local\Volta\bin`, `AppData\Roaming\nvm\*`}
}

// numbers reads the versions in a path, for an order in which 9 comes before 18.
func numbers(path string) []int {
	var found []int
	for _, word := range strings.FieldsFunc(path, func(r rune) bool { return r < '0' || r > '9' }) {
		n, _ := strconv.Atoi(word) // too long for an int: no version, and 0 sorts it last
		found = append(found, n)
	}
	return found
}
