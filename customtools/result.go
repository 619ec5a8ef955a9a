package customtools

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Texts of results that were made whole (customtools.md 15.5).
const (
	missingContentText = "Tool returned an invalid result: missing content array."
	noOutputText       = "Tool failed with no output."
)

// unsupportedBlocksText tells of content blocks that were dropped.
func unsupportedBlocksText(n int) string {
	noun := "blocks"
	if n == 1 {
		noun = "block"
	}
	return fmt.Sprintf("Tool returned an invalid result: %d content %s had an unsupported shape.", n, noun)
}

// ResultFromJSON reads what a callback of a pending action returned; nil means
// undefined. Nothing is added to it: content of another shape than a result's
// is left out, and missing details stay missing.
func ResultFromJSON(raw json.RawMessage) resolve.Result {
	r, _, _ := readResult(raw)
	return r
}

// readResult takes from a value what is a result's. hasContent says that there
// is a content array, dropped how many of its blocks were none.
func readResult(raw json.RawMessage) (r resolve.Result, hasContent bool, dropped int) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return resolve.Result{}, false, 0
	}
	var blocks []json.RawMessage
	hasContent = isArray(fields["content"]) && json.Unmarshal(fields["content"], &blocks) == nil
	for _, block := range blocks {
		if b, ok := readBlock(block); ok {
			r.Content = append(r.Content, b)
		} else {
			dropped++
		}
	}
	if details := fields["details"]; len(details) > 0 {
		r.Details = details
	}
	r.IsError = string(fields["isError"]) == "true"
	r.IsWarning = string(fields["isWarning"]) == "true"
	return r, hasContent, dropped
}

func isArray(raw json.RawMessage) bool {
	return strings.HasPrefix(strings.TrimLeft(string(raw), " \t\r\n"), "[")
}

// readBlock reads a text block or an image block.
func readBlock(raw json.RawMessage) (resolve.Block, bool) {
	var b struct {
		Type     *string `json:"type"`
		Text     *string `json:"text"`
		Data     *string `json:"data"`
		MIMEType *string `json:"mimeType"`
	}
	if json.Unmarshal(raw, &b) != nil || b.Type == nil {
		return resolve.Block{}, false
	}
	switch {
	case *b.Type == resolve.TextBlock && b.Text != nil:
		return resolve.Block{Type: resolve.TextBlock, Text: *b.Text}, true
	case *b.Type == resolve.ImageBlock && b.Data != nil && b.MIMEType != nil:
		return resolve.Block{Type: resolve.ImageBlock, Data: *b.Data, MIMEType: *b.MIMEType}, true
	}
	return resolve.Block{}, false
}

// callResult makes what execute returned a whole result.
func callResult(raw json.RawMessage) resolve.Result {
	r, hasContent, dropped := readResult(raw)
	if !hasContent {
		return errorResult(missingContentText)
	}
	return whole(r, dropped)
}

// whole makes a result fit for whoever reads it: dropped blocks are told of, a
// failure says something, and details are there.
func whole(r resolve.Result, dropped int) resolve.Result {
	if dropped > 0 {
		r.Content = append(r.Content, resolve.Block{Type: resolve.TextBlock, Text: unsupportedBlocksText(dropped)})
		r.IsError = true
	}
	if r.IsError && !hasOutput(r.Content) {
		r.Content = []resolve.Block{{Type: resolve.TextBlock, Text: noOutputText}}
	}
	if isNullDetails(r.Details) {
		r.Details = noDetails()
	}
	return r
}

// hasOutput reports whether there is an image or text that is not blank.
func hasOutput(content []resolve.Block) bool {
	for _, b := range content {
		if b.Type == resolve.ImageBlock || strings.TrimSpace(b.Text) != "" {
			return true
		}
	}
	return false
}

func isNullDetails(details any) bool {
	raw, isRaw := details.(json.RawMessage)
	return details == nil || isRaw && (len(raw) == 0 || string(raw) == "null")
}

// noDetails is the details of a result that has none.
func noDetails() json.RawMessage { return json.RawMessage("{}") }

// errorResult is the result of a call that failed with text.
func errorResult(text string) resolve.Result {
	r := resolve.TextResult(text, noDetails())
	r.IsError = true
	return whole(r, 0)
}
