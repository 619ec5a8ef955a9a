package match

import "testing"

func TestRunOccursInSource(t *testing.T) {
	word := func(s string) literal { return literal{text: []byte(s), word: true} }
	plain := func(s string) literal { return literal{text: []byte(s)} }
	call := run{word("strings"), plain("."), word("Replace"), plain("(")}
	assign := run{{text: []byte("="), assign: true}}
	for _, test := range []struct {
		name   string
		run    run
		source string
		want   bool
	}{
		{"as written", call, "x = strings.Replace(a)", true},
		{"blanks between", call, "strings .\n\tReplace\t(a)", true},
		{"comments between", call, "strings /* ( */ . // x\n Replace /**/ (a)", true},
		{"optional call", call, "strings.Replace?.(a)", true},
		{"continued line", call, "strings.\\\nReplace(a)", true},
		{"longer name", call, "strings.ReplaceAll(a)", false},
		{"second occurrence", call, "strings.ReplaceAll(a); strings.Replace(b)", true},
		{"other receiver", call, "bytes.Replace(a)", false},
		{"longer receiver", call, "mystrings.Replace(a)", false},
		{"not called", call, "strings.Replace = a", false},
		{"not a number's end", run{word("foo")}, "a1foo", false},
		{"number before", run{word("foo")}, "1foo", true},
		{"dollar is no word byte", run{word("foo")}, "$foo$", true},
		{"other letters are no word bytes", run{word("foo")}, "éfoo", true},
		{"escape before", run{word("foo")}, `"\nfoo"`, true},
		{"at the ends", run{word("foo")}, "foo", true},
		{"plain text anywhere", run{plain("foo")}, "xfoox", true},
		{"assignment", assign, "a==b; c := d; e += f; g=h", true},
		{"assignment to a generic", assign, "let a: Array<T>=[]", true},
		{"no assignment", assign, "a==b; c := d; e += f; g => h; i <= j", false},
		{"cut short", call, "strings.Replace", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.run.occursIn([]byte(test.source)); got != test.want {
				t.Errorf("occursIn(%q) = %v", test.source, got)
			}
		})
	}
}
