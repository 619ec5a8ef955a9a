package resolve

import (
	"encoding/json"
	"strings"
)

// Block types of a tool result.
const (
	TextBlock  = "text"
	ImageBlock = "image"
)

// Block is one piece of a tool result's content: text, or an image as base64
// Data of type MIMEType.
type Block struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitzero"`
	Data     string `json:"data,omitzero"`
	MIMEType string `json:"mimeType,omitzero"`
}

// MarshalJSON keeps the text of a text block even where it is empty: readers
// of the format require the field.
func (b Block) MarshalJSON() ([]byte, error) {
	if b.Type == TextBlock {
		return json.Marshal(struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}{b.Type, b.Text})
	}
	type plain Block
	return json.Marshal(plain(b))
}

// Result is what a tool answers. Content is for whoever reads the answer,
// Details is the same as data, and Display is a tool's own rendering as plain
// text. IsError marks a failure that the tool reported itself.
type Result struct {
	Content   []Block `json:"content"`
	Details   any     `json:"details,omitzero"`
	IsError   bool    `json:"isError,omitzero"`
	IsWarning bool    `json:"isWarning,omitzero"`
	Display   string  `json:"display,omitzero"`
}

// MarshalJSON writes content as an array always, where encoding/json alone
// would write null for a result without any.
func (r Result) MarshalJSON() ([]byte, error) {
	type plain Result
	if r.Content == nil {
		r.Content = []Block{}
	}
	return json.Marshal(plain(r))
}

// TextResult returns a result of one text block.
func TextResult(text string, details any) Result {
	return Result{Content: []Block{{Type: TextBlock, Text: text}}, Details: details}
}

// Text returns the text blocks joined with newlines.
func (r Result) Text() string {
	var texts []string
	for _, b := range r.Content {
		if b.Type == TextBlock {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}
