package customtools

import "testing"

// TestStatements24To26_ConfiguredPaths and the rest of section 4.
func TestStatements24To26_ConfiguredPaths(t *testing.T) {
	const cwd, home = "/w", "/home/u"
	tests := []struct{ in, want string }{
		{"~/t.ts", "/home/u/t.ts"},
		{"~t.ts", "/home/u/t.ts"},
		{`~\t.ts`, "/home/u/t.ts"},
		{"~", "/home/u"},
		{"@~/t.ts", "/home/u/t.ts"},
		{"@~", "/home/u"},
		{"@t.ts", "/w/@t.ts"},
		{"@~t.ts", "/w/@~t.ts"},
		{"@/a/t.ts", "/a/t.ts"},
		{"./x/../tool.ts", "/w/tool.ts"},
		{"../tool.ts", "/tool.ts"},
		{"/a/./b/../t.ts", "/a/./b/../t.ts"},
		{"my\u00a0tool.ts", "/w/my tool.ts"},
		{"a\u2000b\u200ac\u202fd\u205fe\u3000f.ts", "/w/a b c d e f.ts"},
		{"a\u200bb.ts", "/w/a\u200bb.ts"},
		{"file:///a/my%20tool.ts", "/a/my tool.ts"},
		{"FILE:///a/t.ts", "/a/t.ts"},
		{"file://localhost/a/t.ts", "/a/t.ts"},
		{"file:///a/%zz.ts", "/w/file:/a/%zz.ts"},
		{"file:///a%2Fb.ts", "/w/file:/a%2Fb.ts"},
	}
	for _, tt := range tests {
		got, err := ResolvePath(tt.in, cwd, home)
		if err != nil || got != tt.want {
			t.Errorf("%q: got %q, %v, want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestResolvePath_InternalScheme(t *testing.T) {
	for in, want := range map[string]string{
		"agent://x":       `Path "agent://x" uses internal scheme "agent://" and must be resolved through the proper protocol handler, not as a filesystem path.`,
		"@mcp://a/b":      `Path "mcp://a/b" uses internal scheme "mcp://" and must be resolved through the proper protocol handler, not as a filesystem path.`,
		`skill://a"b\.ts`: `Path "skill://a"b\.ts" uses internal scheme "skill://" and must be resolved through the proper protocol handler, not as a filesystem path.`,
	} {
		if _, err := ResolvePath(in, "/w", "/h"); err == nil || err.Error() != want {
			t.Errorf("%q: got %v\nwant %s", in, err, want)
		}
	}
}
