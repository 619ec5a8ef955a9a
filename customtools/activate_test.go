package customtools

import (
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func activeNames(list []resolve.Definition) []string {
	names := []string{}
	for _, d := range list {
		names = append(names, d.Name)
	}
	return names
}

func TestStatement96_ADeferrableToolBringsResolve(t *testing.T) {
	plain, stages := resolve.Definition{Name: "p"}, resolve.Definition{Name: "s", Deferrable: true}
	secret := resolve.Definition{Name: "x", Deferrable: true, Hidden: true}
	wantStrings(t, activeNames(ActiveTools(nil, []resolve.Definition{plain, stages}, nil, false)), "p", "s", "resolve")
	wantStrings(t, activeNames(ActiveTools(nil, []resolve.Definition{plain}, nil, false)), "p")
	wantStrings(t, activeNames(ActiveTools(nil, []resolve.Definition{plain, secret}, nil, false)), "p", "resolve")
	wantStrings(t, activeNames(ActiveTools([]resolve.Definition{{Name: "ast_edit", Deferrable: true}}, []resolve.Definition{plain}, nil, false)), "ast_edit", "p", "resolve")
}

func TestStatement97_AnAllowListIsForBuiltIns(t *testing.T) {
	builtIns := []resolve.Definition{{Name: "read"}, {Name: "write"}}
	custom := []resolve.Definition{{Name: "mine"}, {Name: "secret", Hidden: true}}
	wantStrings(t, activeNames(ActiveTools(builtIns, custom, []string{"read"}, false)), "read", "mine")
	wantStrings(t, activeNames(ActiveTools(builtIns, custom, []string{"read", "secret"}, false)), "read", "mine", "secret")
	wantStrings(t, activeNames(ActiveTools(builtIns, custom, nil, false)), "read", "write", "mine")
	wantStrings(t, activeNames(ActiveTools(builtIns, custom, []string{}, false)), "mine")
}

func TestStatement98_ToolsFlagKnowsBuiltIns(t *testing.T) {
	names, unknown := ParseToolNames(" Read,my_custom,, read ", []string{"read", "write"})
	wantStrings(t, names, "read", "read")
	wantStrings(t, unknown, "my_custom")
	custom := []resolve.Definition{{Name: "my_custom"}}
	wantStrings(t, activeNames(ActiveTools([]resolve.Definition{{Name: "read"}, {Name: "write"}}, custom, names, false)), "read", "my_custom")
}
