package lsp

import (
	"fmt"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/internal/unified"
)

const (
	// defaultDiffHunks is how many hunks of a diff are given where nothing else is asked.
	defaultDiffHunks = 100
	// maxDiffBytes ends a page of a diff early, and leaves the text out of a hunk that is
	// larger by itself (one of minified code): some ten thousand tokens of a model.
	maxDiffBytes = 48 << 10
)

// textLongHunk stands for a hunk that is too long to show.
const textLongHunk = "@@ %d bytes of %s change too closely together to be shown: read the file @@\n"

// diffPage is which hunks of a preview are wanted as a unified diff.
type diffPage struct {
	Offset int  `json:"offset"`
	Limit  *int `json:"limit"`
}

func (p *diffPage) check() error {
	if p == nil {
		return nil
	}
	if p.Offset < 0 {
		return argumentErrorf("diff.offset must not be below 0")
	}
	if p.Limit != nil && *p.Limit < 1 {
		return argumentErrorf("diff.limit must be 1 or more")
	}
	return nil
}

// previewDiff is a page of a preview as a unified diff over all its files.
type previewDiff struct {
	Text  string `json:"text"`
	Hunks int    `json:"hunks"`         // of the whole preview
	Next  int    `json:"next,omitzero"` // offset of the next page; 0 for none
}

func diffOf(p session.Preview, page diffPage) (*previewDiff, error) {
	limit := defaultDiffHunks
	if page.Limit != nil {
		limit = *page.Limit
	}
	out := &previewDiff{}
	var b strings.Builder
	shown, full := 0, false
	for _, f := range p.Files {
		named := false
		for h, err := range unified.Hunks(f.Old, f.Edits()) {
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Display, err)
			}
			at := out.Hunks
			out.Hunks++
			if at < page.Offset || full {
				continue
			}
			if shown == limit || shown > 0 && b.Len()+h.Size() > maxDiffBytes {
				full, out.Next = true, at
				continue
			}
			if !named {
				fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n", f.Display, f.Display)
				named = true
			}
			if h.Size() > maxDiffBytes {
				fmt.Fprintf(&b, textLongHunk, h.Size(), f.Display)
			} else {
				b.WriteString(h.String())
			}
			shown++
		}
	}
	out.Text = b.String()
	return out, nil
}
