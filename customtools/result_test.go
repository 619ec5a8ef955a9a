package customtools

import (
	"encoding/json"
	"testing"
)

func resultJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestStatements88And89_ResultsAreMadeWhole covers the table of 15.5.
func TestStatements88And89_ResultsAreMadeWhole(t *testing.T) {
	tests := []struct{ name, returned, want string }{
		{"undefined", ``, `{"content":[{"type":"text","text":"Tool returned an invalid result: missing content array."}],"details":{},"isError":true}`},
		{"null", `null`, `{"content":[{"type":"text","text":"Tool returned an invalid result: missing content array."}],"details":{},"isError":true}`},
		{"no content", `{"details":1}`, `{"content":[{"type":"text","text":"Tool returned an invalid result: missing content array."}],"details":{},"isError":true}`},
		{"content null", `{"content":null}`, `{"content":[{"type":"text","text":"Tool returned an invalid result: missing content array."}],"details":{},"isError":true}`},
		{"content text", `{"content":"x"}`, `{"content":[{"type":"text","text":"Tool returned an invalid result: missing content array."}],"details":{},"isError":true}`},
		{"empty content", `{"content":[]}`, `{"content":[],"details":{}}`},
		{"whole", `{"content":[{"type":"text","text":"a"},{"type":"image","data":"x","mimeType":"image/png"}],"details":{"n":12345678901234567890},"isWarning":true}`,
			`{"content":[{"type":"text","text":"a"},{"type":"image","data":"x","mimeType":"image/png"}],"details":{"n":12345678901234567890},"isWarning":true}`},
		{"one odd block", `{"content":[{"type":"text"},{"type":"text","text":"a"}]}`,
			`{"content":[{"type":"text","text":"a"},{"type":"text","text":"Tool returned an invalid result: 1 content block had an unsupported shape."}],"details":{},"isError":true}`},
		{"two odd blocks", `{"content":["a",{"type":"video"}],"details":null}`,
			`{"content":[{"type":"text","text":"Tool returned an invalid result: 2 content blocks had an unsupported shape."}],"details":{},"isError":true}`},
		{"error kept", `{"content":[{"type":"text","text":"bad"}],"isError":true}`, `{"content":[{"type":"text","text":"bad"}],"details":{},"isError":true}`},
		{"error without content", `{"content":[],"isError":true}`, `{"content":[{"type":"text","text":"Tool failed with no output."}],"details":{},"isError":true}`},
		{"error with blank text", `{"content":[{"type":"text","text":" \n"}],"isError":true}`, `{"content":[{"type":"text","text":"Tool failed with no output."}],"details":{},"isError":true}`},
		{"error with an image", `{"content":[{"type":"image","data":"x","mimeType":"image/png"}],"isError":true}`,
			`{"content":[{"type":"image","data":"x","mimeType":"image/png"}],"details":{},"isError":true}`},
		{"flags of another type", `{"content":[],"isError":"yes","isWarning":1}`, `{"content":[],"details":{}}`},
		{"details that are false", `{"content":[],"details":false}`, `{"content":[],"details":false}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := resultJSON(t, callResult(json.RawMessage(tt.returned))); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// A pending action's result is passed on as it is (resolve.md 5, R7).
func TestResultFromJSON_AddsNothing(t *testing.T) {
	for returned, want := range map[string]string{
		``:                              `{"content":[]}`,
		`{"content":[]}`:                `{"content":[]}`,
		`{"content":[],"details":{}}`:   `{"content":[],"details":{}}`,
		`{"content":[{"type":"text"}]}`: `{"content":[]}`,
		`{"content":[],"isError":true}`: `{"content":[],"isError":true}`,
		`{"content":[{"type":"text","text":"done"}],"details":{"n":2}}`: `{"content":[{"type":"text","text":"done"}],"details":{"n":2}}`,
	} {
		if got := resultJSON(t, ResultFromJSON(json.RawMessage(returned))); got != want {
			t.Errorf("%s: got %s, want %s", returned, got, want)
		}
	}
}
