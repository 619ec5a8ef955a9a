package scope

import "errors"

// DisplayPaths returns how files at absolute paths are shown to the user, in the
// workspace as a whole. The error is that of one that lies outside it, by its real
// path, and is meant for the user as it stands.
func DisplayPaths(ws Workspace, paths []string) ([]string, error) {
	r := newResolver(ws)
	shown := make([]string, len(paths))
	for i, path := range paths {
		p, inside := r.locate(path)
		if !inside {
			return nil, errors.New(msgOutside + path)
		}
		shown[i] = r.scopePath(path, p)
	}
	return shown, nil
}
