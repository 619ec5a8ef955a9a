package text

import "testing"

func TestLineEnding(t *testing.T) {
	for content, want := range map[string]string{
		"": "\n", "abc": "\n", "a\nb\n": "\n", "a\r\nb\r\n": "\r\n", "a\rb\r": "\r",
		"a\r\nb\r\nc\n": "\r\n", "a\nb\nc\r\n": "\n", "a\rb\rc\n": "\r", "a\rb\r\n": "\r\n", "a\r\nb\n": "\n",
	} {
		if got := LineEnding([]byte(content)); got != want {
			t.Errorf("LineEnding(%q) = %q, want %q", content, got, want)
		}
	}
}

func TestHasBOM(t *testing.T) {
	for content, want := range map[string]bool{"": false, "\xEF\xBB": false, "\xEF\xBB\xBF": true, BOM + "a": true, "a" + BOM: false} {
		if got := HasBOM([]byte(content)); got != want {
			t.Errorf("HasBOM(%q) = %v", content, got)
		}
	}
}

func TestFirstLine(t *testing.T) {
	for s, want := range map[string]string{"": "", "a": "a", "a\nb": "a", "a\r\nb": "a", "a\rb": "a", "\nb": "", "é😀\n": "é😀"} {
		if got := FirstLine(s); got != want {
			t.Errorf("FirstLine(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestTruncateUTF16(t *testing.T) {
	tests := []struct {
		s     string
		limit int
		want  string
	}{
		{"abc", 3, "abc"}, {"abc", 2, "ab"}, {"abc", 0, ""}, {"abc", -1, ""}, {"", 0, ""}, {"", -1, ""},
		{"a😀b", 1, "a"}, {"a😀b", 2, "a"}, {"a😀b", 3, "a😀"}, {"a😀b", 4, "a😀b"},
		{"éé", 1, "é"}, {"éé", 2, "éé"}, {"漢字", 1, "漢"}, {"\xff\xfe", 1, "\xff"}, {"\xf0\x9f\x98x", 3, "\xf0\x9f\x98"},
	}
	for _, tt := range tests {
		if got := TruncateUTF16(tt.s, tt.limit); got != tt.want {
			t.Errorf("TruncateUTF16(%q, %d) = %q, want %q", tt.s, tt.limit, got, tt.want)
		}
	}
}

func TestHash(t *testing.T) {
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got := Hash([]byte("abc")); got != abc {
		t.Errorf("Hash(abc) = %s", got)
	}
}
