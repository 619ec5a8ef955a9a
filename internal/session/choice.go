package session

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Texts of an apply of a part of an edit.
const (
	textOnlyShape   = "extra.only must be a list of { uri, hunks? }, with the hunks' indexes: %v."
	textOnlyNothing = "extra.only keeps no hunk: name those to apply, or discard the edit."
	textOnlyUnknown = "extra.only names %s, which this edit does not change."
	textOnlyNoHunk  = "extra.only names hunk %d of %s, which has hunks 0 to %d."
	keyOnly         = "only"
)

// chosen is one file of `extra.only`: all of its hunks, or those that are named by
// their indexes in the preview.
type chosen struct {
	URI   string `json:"uri"`
	Hunks *[]int `json:"hunks"`
}

// readChoice reads which part of an edit a call applies (protocol.md 5); partly is
// false where it is all of it. What else extra holds is not looked at. But an `only`
// that cannot be read is an error: whoever sends one does not want the whole.
func readChoice(extra map[string]any) (choice []chosen, partly bool, err error) {
	only, ok := extra[keyOnly]
	if !ok {
		return nil, false, nil
	}
	raw, err := json.Marshal(only)
	if err == nil {
		err = json.Unmarshal(raw, &choice)
	}
	if err != nil {
		return nil, false, toolError(fmt.Sprintf(textOnlyShape, err))
	}
	return choice, true, nil
}

// choose splits files into what a choice keeps and what it declines.
func (s *Session) choose(files []*astedit.FileEdit, choice []chosen) (kept []*astedit.FileEdit, declined []resolve.Declined, err error) {
	wanted, err := s.wantedHunks(files, choice)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		edits, left := split(f.Edits(), wanted[f.Path])
		if len(left) > 0 {
			d := resolve.Declined{URI: s.Host.URI(f.Path), Hunks: left}
			if len(edits) == 0 {
				d.Hunks = nil // all of the file
			}
			declined = append(declined, d)
		}
		switch {
		case len(left) == 0:
			kept = append(kept, f)
		case len(edits) > 0:
			part, err := astedit.NewFileEdit(f.Path, f.Display, f.Old, edits)
			if err != nil {
				return nil, nil, err
			}
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return nil, nil, toolError(textOnlyNothing)
	}
	return kept, declined, nil
}

// wantedHunks returns, by path, whether each hunk is kept.
func (s *Session) wantedHunks(files []*astedit.FileEdit, choice []chosen) (map[string][]bool, error) {
	wanted := map[string][]bool{}
	for _, c := range choice {
		path := s.Host.Path(c.URI)
		i := slices.IndexFunc(files, func(f *astedit.FileEdit) bool { return f.Path == path })
		if i < 0 {
			return nil, toolError(fmt.Sprintf(textOnlyUnknown, c.URI))
		}
		count := len(files[i].Changes)
		if wanted[path] == nil {
			wanted[path] = make([]bool, count)
		}
		if c.Hunks == nil {
			for k := range count {
				wanted[path][k] = true
			}
			continue
		}
		for _, k := range *c.Hunks {
			if k < 0 || k >= count {
				return nil, toolError(fmt.Sprintf(textOnlyNoHunk, k, files[i].Display, count-1))
			}
			wanted[path][k] = true
		}
	}
	return wanted, nil
}

// split returns the edits that are wanted, and the indexes of the others; no
// wanted at all means none.
func split(edits []text.Edit, wanted []bool) (kept []text.Edit, left []int) {
	for i, e := range edits {
		if wanted != nil && wanted[i] {
			kept = append(kept, e)
		} else {
			left = append(left, i)
		}
	}
	return kept, left
}

func hunks(files []*astedit.FileEdit) (n int) {
	for _, f := range files {
		n += len(f.Changes)
	}
	return n
}
