package lsp

import (
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// toolsSettle gathers changes of tool files that come together: an editor
// writes a file in several steps, a checkout writes many.
const toolsSettle = 100 * time.Millisecond

// toolConfigDirs are the folders of a workspace folder in which every file may
// change which tools there are.
func toolConfigDirs() []string { return []string{".xcsh", ".claude", ".codex", ".gemini"} }

// fileChanged loads the tools again, soon and in the background, where a file
// has changed on disk that they were made of or found by.
func (b *toolbox) fileChanged(path string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reloading || !b.concerns(path) {
		return
	}
	b.reloading = true
	b.workspace.work.Go(func() {
		select {
		case <-time.After(toolsSettle):
		case <-b.workspace.life.Done():
			return
		}
		b.mu.Lock()
		b.reloading = false // what changes from here on needs another load
		b.mu.Unlock()
		b.reload()
	})
}

// concerns is called with b.mu held.
func (b *toolbox) concerns(path string) bool {
	if slices.Contains(b.watched, path) {
		return true
	}
	for _, folder := range b.folders {
		rel, ok := strings.CutPrefix(filepath.ToSlash(path), filepath.ToSlash(folder)+"/")
		dir, _, _ := strings.Cut(rel, "/")
		if ok && slices.Contains(toolConfigDirs(), dir) {
			return true
		}
	}
	return false
}

// watch notes what a load depended on.
func (b *toolbox) watch(folders, files []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.folders, b.watched = folders, files
}

// loadedFolders are those that the last load was for.
func (b *toolbox) loadedFolders() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.folders
}
