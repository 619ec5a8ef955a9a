// Package statedir says where the program keeps its state: the trust list, and
// for each workspace the decision log, its store, the journal and the session
// file. It knows the folders only, not what is in them.
package statedir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
)

const (
	appName = "xcsh-lsp"

	// workspaceDigits is the length of a workspace's folder name: 64 bits of a
	// hash, enough that two workspaces of one user never share it.
	workspaceDigits = 16

	// ownerOnly keeps others out: the decision log names files and reasons.
	ownerOnly = 0o700
)

// Root returns the state folder of a user whose environment is env and whose
// home folder is home, on the system goos (as [runtime.GOOS]). Neither is asked
// for where it does not matter; a missing one that does is an error.
//
// On Unix a relative $XDG_STATE_HOME is ignored, as the XDG Base Directory
// Specification demands.
func Root(env func(string) string, goos, home string) (string, error) {
	if goos == "windows" {
		local := env("LocalAppData")
		if local == "" {
			return "", errors.New("cannot find the state folder: set %LocalAppData%")
		}
		return filepath.Join(local, appName), nil
	}
	if goos != "darwin" {
		if state := env("XDG_STATE_HOME"); path.IsAbs(state) {
			return filepath.Join(state, appName), nil
		}
	}
	if home == "" {
		return "", errors.New("cannot find the state folder: set $HOME")
	}
	if goos == "darwin" {
		return filepath.Join(home, "Library", "Application Support", appName), nil
	}
	return filepath.Join(home, ".local", "state", appName), nil
}

// Workspace returns the folder under root that belongs to the workspace whose
// first folder is firstFolder: its name is the start of the SHA-256 of that
// path. The path counts as it is given, so it must come in one spelling.
func Workspace(root, firstFolder string) string {
	sum := sha256.Sum256([]byte(firstFolder))
	return filepath.Join(root, hex.EncodeToString(sum[:])[:workspaceDigits])
}

// Journal returns the folder in a workspace's one that holds the records of
// applies.
func Journal(workspace string) string { return filepath.Join(workspace, "journal") }

// Turn is the file in the root folder that whoever is about to replace files locks.
func Turn(root string) string { return filepath.Join(root, "apply.lock") }

// Ensure creates dir and its parents, as far as they are missing, so that only
// the user can open them. A dir that exists is closed to others as well.
func Ensure(dir string) error {
	if err := os.MkdirAll(dir, ownerOnly); err != nil {
		return fmt.Errorf("create state folder: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("open state folder: %w", err)
	}
	if info.Mode().Perm() == ownerOnly {
		return nil
	}
	if err := os.Chmod(dir, ownerOnly); err != nil {
		return fmt.Errorf("close state folder to other users: %w", err)
	}
	return nil
}
