package syntax_test

import (
	"slices"
	"strings"
	"testing"
)

// specifiedTable is ast_edit.md 6.2, the rows of the linked languages: name,
// aliases, extensions, expando.
const specifiedTable = `
bash | bash sh zsh ksh bats | bash bats cgi command env fcgi ksh sh tmux tool zsh | $
c | c h | c h | 𐀀
cpp | cpp c++ cc cxx hh hpp cu ino | cc hpp cpp c++ hh cxx cu ino | 𐀀
csharp | csharp c# cs | cs | µ
cue | cue | cue | µ
css | css | css scss | _
dockerfile | docker dockerfile containerfile | dockerfile | µ
elixir | elixir ex exs | ex exs | µ
elm | elm | elm | µ
go | go golang | go | µ
groovy | groovy gradle | groovy gradle | µ
haskell | haskell hs | hs | µ
hcl | hcl tf tfvars terraform | hcl tf tfvars | µ
html | html htm xhtml | html htm xhtml | z
java | java | java | $
javascript | javascript js jsx mjs cjs | cjs js mjs jsx | $
json | json | json | $
kotlin | kotlin kt kts ktm | kt ktm kts | µ
lua | lua | lua | $
markdown | markdown md mdx | md markdown mdx | $
ocaml | ocaml ml | ml | µ
php | php | php | µ
protobuf | protobuf proto | proto | µ
python | python py py3 pyi | py py3 pyi bzl | µ
ruby | ruby rb rbw gemspec | rb rbw gemspec | µ
rust | rust rs | rs | µ
scala | scala sc sbt | scala sc sbt | $
sql | sql | sql | µ
svelte | svelte | svelte | $
swift | swift | swift | µ
toml | toml | toml | $
tsx | tsx | tsx | $
typescript | typescript ts mts cts | ts cts mts | $
yaml | yaml yml | yaml yml | $
`

// otherExpandos lists the languages whose linked grammar does not take the
// specification's expando in an identifier.
func otherExpandos() map[string]string {
	return map[string]string{"groovy": "$", "ocaml": "_", "protobuf": "z", "sql": "_", "toml": "_"}
}

type specifiedRow struct {
	aliases, extensions []string
	expando             string
}

func specified(t testing.TB) map[string]specifiedRow {
	t.Helper()
	rows := map[string]specifiedRow{}
	for line := range strings.Lines(strings.TrimSpace(specifiedTable)) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 {
			t.Fatalf("row %q", line)
		}
		rows[strings.TrimSpace(cells[0])] = specifiedRow{strings.Fields(cells[1]), strings.Fields(cells[2]), strings.TrimSpace(cells[3])}
	}
	return rows
}

func sorted(words []string) []string { return slices.Sorted(slices.Values(words)) }
