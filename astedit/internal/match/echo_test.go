package match

import "testing"

func TestEchoOfANameThatIsUsedTwice(t *testing.T) {
	and, call := run{{text: []byte("&&")}}, run{{text: []byte("(")}}
	found := echoes([]follower{{1, call}, {2, and}, {1, and}, {1, and}})
	if len(found) != 1 || len(found[0]) != 2 || !found[0][0].equal(and) {
		t.Fatalf("echoes: %v", found)
	}
	for source, want := range map[string]bool{
		"ok && ok()":                   true,
		"ok && !ok":                    false,
		"x.ok && x.ok ()":              true,
		"ok&&ok\n(1)":                  true,
		"ok && token(1)":               false, // another word
		"nook(1); ok && x":             true,  // the end of a token is all that is looked for
		"f(x) && f(x)()":               true,
		"f(x) && f(x)":                 false,
		"a[0] && b":                    false,
		"a && b(c); c && d; b && e(f)": true,
		"ok /* c */ && ok()":           true, // what stands before may be a comment
		"ok // (\n && ok":              true,
		"ok && ok /* c */ ()":          true,
		"ok && ok?.()":                 true,
		"ok && ok.f()":                 false,
		"é && é()":                     true,
		"$ok && $ok()":                 true,
		"1 && 2":                       true, // not told
		"&& ok()":                      true,
		"ok()":                         false,
		"":                             false,
	} {
		if got := found[0].mayOccurIn([]byte(source)); got != want {
			t.Errorf("%q: %v, want %v", source, got, want)
		}
	}
}
