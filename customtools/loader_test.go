package customtools

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// modulePlace is a loader with modules /w/<name>.
func modulePlace(modules map[string]func(ModuleSpec) ([]Element, error), builtIns ...string) (*Loader, *scriptRuntime) {
	r := &scriptRuntime{modules: map[string]func(ModuleSpec) ([]Element, error){}}
	for name, m := range modules {
		r.modules["/w/"+name] = m
	}
	return NewLoader(LoaderConfig{Runtime: r, Host: &logHost{}, Home: "/h", BuiltIns: builtIns}), r
}

func paths(names ...string) []ToolPath {
	var list []ToolPath
	for _, name := range names {
		list = append(list, ToolPath{Path: name, Cwd: "/w"})
	}
	return list
}

func toolLines(l Loaded) []string {
	lines := []string{}
	for _, t := range l.Tools {
		lines = append(lines, t.Definition().Name+" "+t.Path)
	}
	return lines
}

func errorTexts(l Loaded) []string {
	lines := []string{}
	for _, e := range l.Errors {
		lines = append(lines, e.Path+": "+e.Error)
	}
	return lines
}

// TestStatements46To59_Loading covers the host's side: what a runtime found
// becomes tools and errors.
func TestStatements46To59_Loading(t *testing.T) {
	invalid := func(shapes ...Shape) func(ModuleSpec) ([]Element, error) {
		return func(ModuleSpec) ([]Element, error) {
			var elements []Element
			for _, s := range shapes {
				elements = append(elements, Element{Shape: s})
			}
			return elements, nil
		}
	}
	validThenInvalid := func(spec ModuleSpec) ([]Element, error) {
		elements, _ := gives("v")(spec)
		return append(elements, Element{Shape: Shape{HasName: true}}), nil
	}
	const badShape = ": Tool factory returned invalid tool at index %d: expected object with string name, string description, parameters, and execute function"
	tests := []struct {
		name          string
		modules       map[string]func(ModuleSpec) ([]Element, error)
		load          []string
		tools, errors []string
	}{
		{"46 and 47 no function", map[string]func(ModuleSpec) ([]Element, error){"a.ts": failing(fmt.Errorf("loading: %w", ErrNoFactory))},
			[]string{"a.ts"}, nil, []string{"a.ts: Tool must export a default function"}},
		{"49, 50 and 58 the module fails, the next loads", map[string]func(ModuleSpec) ([]Element, error){"a.ts": failing(errors.New("nope")), "b.ts": gives("b")},
			[]string{"a.ts", "b.ts"}, []string{"b b.ts"}, []string{"a.ts: Failed to load tool: nope"}},
		{"51 two tools", map[string]func(ModuleSpec) ([]Element, error){"a.ts": gives("x", "y")}, []string{"a.ts"}, []string{"x a.ts", "y a.ts"}, nil},
		{"52 one valid, one not", map[string]func(ModuleSpec) ([]Element, error){"a.ts": validThenInvalid}, []string{"a.ts"},
			[]string{"v a.ts"}, []string{"a.ts" + fmt.Sprintf(badShape, 1)}},
		{"53 null", map[string]func(ModuleSpec) ([]Element, error){"a.ts": invalid(Shape{})}, []string{"a.ts"}, nil, []string{"a.ts" + fmt.Sprintf(badShape, 0)}},
		{"each part is needed", map[string]func(ModuleSpec) ([]Element, error){"a.ts": invalid(
			Shape{false, true, true, true}, Shape{true, false, true, true}, Shape{true, true, false, true}, Shape{true, true, true, false})}, []string{"a.ts"}, nil,
			[]string{"a.ts" + fmt.Sprintf(badShape, 0), "a.ts" + fmt.Sprintf(badShape, 1), "a.ts" + fmt.Sprintf(badShape, 2), "a.ts" + fmt.Sprintf(badShape, 3)}},
		{"54 an empty list", map[string]func(ModuleSpec) ([]Element, error){"a.ts": gives()}, []string{"a.ts"}, nil, nil},
		{"55 a built-in's name", map[string]func(ModuleSpec) ([]Element, error){"a.ts": gives("ast_edit", "x")}, []string{"a.ts"},
			[]string{"x a.ts"}, []string{`a.ts: Tool name "ast_edit" conflicts with existing tool`}},
		{"56 a name given out", map[string]func(ModuleSpec) ([]Element, error){"a.ts": gives("x"), "b.ts": gives("x")}, []string{"a.ts", "b.ts"},
			[]string{"x a.ts"}, []string{`b.ts: Tool name "x" conflicts with existing tool`}},
		{"56 within one list", map[string]func(ModuleSpec) ([]Element, error){"a.ts": gives("x", "x")}, []string{"a.ts"},
			[]string{"x a.ts"}, []string{`a.ts: Tool name "x" conflicts with existing tool`}},
		{"57 case matters", map[string]func(ModuleSpec) ([]Element, error){"a.ts": gives("A", "a", "AST_EDIT")}, []string{"a.ts"}, []string{"A a.ts", "a a.ts", "AST_EDIT a.ts"}, nil},
		{"59 declarative files are not run", nil, []string{"x.json", "x.md"}, nil,
			[]string{"x.json: Declarative tool files (.md, .json) cannot be loaded as executable modules", "x.md: Declarative tool files (.md, .json) cannot be loaded as executable modules"}},
		{"59 their endings have a case", map[string]func(ModuleSpec) ([]Element, error){"x.MD": gives("x")}, []string{"x.MD"}, []string{"x x.MD"}, nil},
		{"paths are resolved", map[string]func(ModuleSpec) ([]Element, error){"a.ts": gives("x")}, []string{"./q/../a.ts", "agent://x"}, []string{"x ./q/../a.ts"},
			[]string{`agent://x: Path "agent://x" uses internal scheme "agent://" and must be resolved through the proper protocol handler, not as a filesystem path.`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, _ := modulePlace(tt.modules, "ast_edit")
			loaded := l.Load(context.Background(), paths(tt.load...))
			wantStrings(t, toolLines(loaded), tt.tools...)
			wantStrings(t, errorTexts(loaded), tt.errors...)
		})
	}
}

func TestReload_ABrokenModuleKeepsItsOldTools(t *testing.T) {
	l, r := modulePlace(map[string]func(ModuleSpec) ([]Element, error){"a.ts": gives("x"), "b.ts": gives("y"), "c.ts": gives("z")})
	l.Load(context.Background(), paths("a.ts", "b.ts", "c.ts"))

	r.modules["/w/a.ts"] = failing(errors.New("broken"))
	r.modules["/w/b.ts"] = gives("y2")
	loaded := l.Load(context.Background(), paths("a.ts", "b.ts"))
	wantStrings(t, toolLines(loaded), "x a.ts", "y2 b.ts")
	wantStrings(t, errorTexts(loaded), "a.ts: Failed to load tool: broken")
	if !loaded.Tools[0].Kept || loaded.Tools[1].Kept {
		t.Error("Kept is wrong")
	}
	if len(r.retired) != 2 { // the old b.ts, and c.ts, which is gone
		t.Errorf("retired %q", r.retired)
	}

	// Once it works again it takes the old one's place.
	r.modules["/w/a.ts"] = gives("y2", "x2")
	loaded = l.Load(context.Background(), paths("a.ts", "b.ts"))
	wantStrings(t, toolLines(loaded), "y2 a.ts", "x2 a.ts")
	wantStrings(t, errorTexts(loaded), `b.ts: Tool name "y2" conflicts with existing tool`)
	if len(r.retired) != 5 { // a.ts and b.ts of before, and the new b.ts, of which nothing counts
		t.Errorf("retired %q", r.retired)
	}
}

func TestDirectTools_ComeFirstUnderTheSameRules(t *testing.T) {
	r := &scriptRuntime{modules: map[string]func(ModuleSpec) ([]Element, error){"/w/a.ts": gives("mine", "other")}}
	l := NewLoader(LoaderConfig{Runtime: r, Host: &logHost{}, BuiltIns: []string{"ast_edit"}, Direct: []Tool{
		named("mine", "", echo), named("ast_edit", "", echo), named("", "", echo), named("none", "", nil),
	}})
	loaded := l.Load(context.Background(), paths("a.ts"))
	wantStrings(t, toolLines(loaded), "mine ", "other a.ts")
	wantStrings(t, errorTexts(loaded),
		`: Tool name "ast_edit" conflicts with existing tool`,
		`: Tool factory returned invalid tool at index 2: expected object with string name, string description, parameters, and execute function`,
		`: Tool factory returned invalid tool at index 3: expected object with string name, string description, parameters, and execute function`,
		`a.ts: Tool name "mine" conflicts with existing tool`)
}
