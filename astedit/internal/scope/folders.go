package scope

import (
	"path/filepath"
	"strconv"
	"strings"
)

// folder is a workspace folder with what telling paths apart needs.
type folder struct {
	name  string // unique among the folders, no slash
	path  string // as the client spells it
	real  string // with symbolic links resolved
	outer bool   // lies in no other folder: nested ones are searched with the outer one
}

// readFolders gives the folders unique names and marks the nested ones.
func readFolders(in []Folder) []*folder {
	names := uniqueNames(in)
	out := make([]*folder, len(in))
	for i, f := range in {
		path := filepath.Clean(f.Path)
		real, ok := realPath(path)
		if !ok {
			real = path
		}
		out[i] = &folder{name: names[i], path: path, real: real}
	}
	for i, f := range out {
		f.outer = !nested(out, i)
	}
	return out
}

// nested reports whether folder i lies in another one, or is a repetition of
// an earlier one.
func nested(all []*folder, i int) bool {
	for j, other := range all {
		if j == i {
			continue
		}
		if _, inside := relativeTo(other.real, all[i].real); inside && (other.real != all[i].real || j < i) {
			return true
		}
	}
	return false
}

// uniqueNames appends -2, -3… to a name that an earlier folder has, skipping
// numbers that are some folder's own name.
func uniqueNames(in []Folder) []string {
	own := make(map[string]bool, len(in))
	names := make([]string, len(in))
	for i, f := range in {
		name := f.Name
		if name == "" {
			name = filepath.Base(f.Path)
		}
		// A slash in a name would read as a directory.
		names[i] = strings.NewReplacer("/", "-", `\`, "-").Replace(name)
		own[names[i]] = true
	}
	used := make(map[string]bool, len(in))
	for i, name := range names {
		unique := name
		for n := 2; used[unique] || (unique != name && own[unique]); n++ {
			unique = name + "-" + strconv.Itoa(n)
		}
		names[i] = unique
		used[unique] = true
	}
	return names
}
