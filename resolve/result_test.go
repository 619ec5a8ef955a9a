package resolve_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func TestResultAsJSON(t *testing.T) {
	for name, tc := range map[string]struct {
		result resolve.Result
		want   string
	}{
		"empty":      {resolve.Result{}, `{"content":[]}`},
		"text":       {resolve.TextResult("a", nil), `{"content":[{"type":"text","text":"a"}]}`},
		"empty text": {resolve.TextResult("", nil), `{"content":[{"type":"text","text":""}]}`},
		"details {}": {resolve.TextResult("a", map[string]any{}), `{"content":[{"type":"text","text":"a"}],"details":{}}`},
		"all": {
			resolve.Result{
				Content: []resolve.Block{{Type: "image", Data: "QQ==", MIMEType: "image/png"}},
				Details: 1, IsError: true, IsWarning: true, Display: "d",
			},
			`{"content":[{"type":"image","data":"QQ==","mimeType":"image/png"}],"details":1,"isError":true,"isWarning":true,"display":"d"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := json.Marshal(tc.result)
			if err != nil || string(got) != tc.want {
				t.Errorf("%s, %v, want %s", got, err, tc.want)
			}
			var back resolve.Result
			if err := json.Unmarshal(got, &back); err != nil || len(back.Content) != len(tc.result.Content) {
				t.Fatalf("read back: %+v, %v", back, err)
			}
			if len(back.Content) > 0 && !reflect.DeepEqual(back.Content, tc.result.Content) {
				t.Errorf("read back: %+v, want %+v", back.Content, tc.result.Content)
			}
		})
	}
}

func TestResultText(t *testing.T) {
	r := resolve.Result{Content: []resolve.Block{
		{Type: "text", Text: "a"}, {Type: "image", Data: "QQ=="}, {Type: "text", Text: "b"},
	}}
	if got := r.Text(); got != "a\nb" {
		t.Errorf("text %q", got)
	}
}
