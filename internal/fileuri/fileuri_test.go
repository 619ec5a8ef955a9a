package fileuri

import (
	"math/rand/v2"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// none stands for a URI that names no file.
const none = ""

// What each spelling names on Windows and elsewhere.
func TestPath(t *testing.T) {
	for raw, want := range map[string]struct{ linux, windows string }{
		"file:///home/me/a.ts":              {"/home/me/a.ts", none},
		"file:///c%3A/Users/a.ts":           {"/c:/Users/a.ts", `C:\Users\a.ts`},
		"file:///c%3a/Users/a.ts":           {"/c:/Users/a.ts", `C:\Users\a.ts`},
		"file:///C:/Users/a.ts":             {"/C:/Users/a.ts", `C:\Users\a.ts`},
		"file:///C:/":                       {"/C:", `C:\`},
		"file:///C:":                        {"/C:", `C:\`},
		"file:///C:a.ts":                    {"/C:a.ts", none},
		"file:C:/a.ts":                      {none, `C:\a.ts`},
		"file:/C:/a.ts":                     {"/C:/a.ts", `C:\a.ts`},
		"file:/a.ts":                        {"/a.ts", none},
		"file:a.ts":                         {none, none},
		"file://":                           {none, none},
		"file:///":                          {"/", none},
		"FILE:///a.ts":                      {"/a.ts", none},
		"file://localhost/a.ts":             {"/a.ts", none},
		"file://LocalHost/c:/a.ts":          {"/c:/a.ts", `C:\a.ts`},
		"file://server/share/a.ts":          {none, `\\server\share\a.ts`},
		"file://SERVER/Share/dir/../a%20b":  {none, `\\server\Share\a b`},
		"file://server/share/../../c":       {none, `\\server\share\c`},
		"file://server/share":               {none, `\\server\share`},
		"file://server/":                    {none, none},
		"file://server":                     {none, none},
		"file://server/../x":                {none, none},
		"file:////server/share/a.ts":        {"/server/share/a.ts", `\\server\share\a.ts`},
		"file://wsl%24/Ubuntu/a.ts":         {none, `\\wsl$\Ubuntu\a.ts`},
		"file://./pipe/x":                   {none, none},
		"file://%3F/C:/a.ts":                {none, none},
		"file:////./pipe/x":                 {"/pipe/x", none},
		"file:///c:/a.ts:stream":            {"/c:/a.ts:stream", none},
		"file:///c:/ws/..%5C..%5Cout":       {`/c:/ws/..\..\out`, `C:\out`},
		"file:///c:/../../x":                {"/x", `C:\x`},
		"file:///a/../../b":                 {"/b", none},
		"file:///a/%2e%2E/b":                {"/b", none},
		"file:///a%2Fb":                     {"/a/b", none},
		"file:///a%2fb":                     {"/a/b", none},
		"file:///a%00b":                     {none, none},
		"file:///c:/a%00b":                  {none, none},
		"file:///a%20b":                     {"/a b", none},
		"file:///a b":                       {"/a b", none},
		"file:///%C3%A4/ä":                  {"/ä/ä", none},
		"file:///%c3%a4":                    {"/ä", none},
		"file:///%ff":                       {"/\xff", none},
		"file:///100%/a%zz%4":               {"/100%/a%zz%4", none},
		"file:///100%25":                    {"/100%", none},
		"file:///%2525":                     {"/%25", none},
		"file:///a+b@c":                     {"/a+b@c", none},
		"file:///[id]/a.ts":                 {"/[id]/a.ts", none},
		"file:///a.ts?v=1#L2":               {"/a.ts", none},
		"file:///a%3Fb%23c":                 {"/a?b#c", none},
		"untitled:Untitled-1":               {none, none},
		"untitled:/a.ts":                    {none, none},
		"vscode-remote://ssh%2Bhost/a.ts":   {none, none},
		"vscode-notebook-cell:///a.ipynb#1": {none, none},
		"xcsh-preview:/a.ts?id=1":           {none, none},
		"/a.ts":                             {none, none},
		"c:/a.ts":                           {none, none},
		"":                                  {none, none},
	} {
		for goos, want := range map[string]string{"linux": want.linux, "darwin": want.linux, Windows: want.windows} {
			if got, ok := Path(goos, raw); got != want || ok != (want != none) {
				t.Errorf("%s: Path(%q) = %q, %v, want %q", goos, raw, got, ok, want)
			}
		}
	}
}

func TestOf(t *testing.T) {
	for _, c := range []struct{ goos, path, want string }{
		{"linux", "/a b/ä#?.ts", "file:///a%20b/%C3%A4%23%3F.ts"},
		{"linux", "/C:/a.ts", "file:///C:/a.ts"},
		{Windows, `C:\a b\c.ts`, "file:///C:/a%20b/c.ts"},
		{Windows, `\\server\share\a.ts`, "file://server/share/a.ts"},
	} {
		if got := Of(c.goos, c.path); got != c.want {
			t.Errorf("%s: Of(%q) = %q, want %q", c.goos, c.path, got, c.want)
		}
	}
}

// Random absolute paths come back from their URIs, however those are spelled.
func TestPath_GivesBackWhatOfWas(t *testing.T) {
	pieces := []string{"a", "B", " ", "%", "%41", "#", "?", "ä", "😀", "+", "@", "[", "\xff", "'", ";", "&", "~", "\n"}
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var slashed strings.Builder
		for range 1 + rng.IntN(4) {
			slashed.WriteString("/x")
			for range rng.IntN(4) {
				slashed.WriteString(pieces[rng.IntN(len(pieces))])
			}
		}
		posix := path.Clean(slashed.String())
		back := strings.ReplaceAll(posix, "/", `\`)
		for goos, want := range map[string][]string{"linux": {posix, "/C:" + posix}, Windows: {"C:" + back, `\\server\share` + back}} {
			for _, p := range want {
				raw := respelled(rng, Of(goos, p))
				if got, ok := Path(goos, raw); !ok || got != p {
					t.Fatalf("%s: Path(%q) = %q, %v, want %q", goos, raw, got, ok, p)
				}
			}
		}
	}
}

// respelled escapes some of what needs no escape, and changes the case of digits.
func respelled(rng *rand.Rand, uri string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for i := 0; i < len(uri); i++ {
		c := uri[i]
		switch {
		case i > len("file:///") && c == '%' && rng.IntN(2) == 0:
			b.WriteString(strings.ToLower(uri[i : i+3]))
			i += 2
		case i > len("file:///") && c == '%':
			b.WriteString(uri[i : i+3])
			i += 2
		case i > len("file:///") && rng.IntN(4) == 0 && c != '/':
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// No URI gives a path that is not absolute and clean.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"file:///a/../b", "file:////./c:/x", "file://s/x/..%5C..", "file:///c:/..%5C..%5Cx:y", "file:c%3a", "file://../0", "file://\x00/0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if got, ok := Path("linux", raw); ok && (!filepath.IsAbs(got) || path.Clean(got) != got || strings.ContainsRune(got, 0)) {
			t.Errorf("Path(%q) = %q", raw, got)
		}
		got, ok := Path(Windows, raw)
		if !ok {
			return
		}
		drive := len(got) >= 3 && isLetter(got[0]) && got[1:3] == `:\`
		share := strings.HasPrefix(got, `\\`) && len(got) > 2 && got[2] != '\\'
		slashed := strings.ReplaceAll(got[2:], `\`, "/")
		if !drive && !share || strings.ContainsAny(got, "\x00/") || strings.Contains("/"+slashed+"/", "/../") {
			t.Errorf("on Windows, Path(%q) = %q", raw, got)
		}
	})
}
