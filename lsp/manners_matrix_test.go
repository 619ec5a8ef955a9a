package lsp_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// matrixManner is one way of a client, and of its human, with an edit.
type matrixManner struct {
	manners lsptest.Manners
	// meanwhile happens once the client has the edit; it has 300 ms before the client
	// looks at it.
	meanwhile func(m *matrix)
	// applies says whether it comes to all new texts; nil: that depends, and nothing
	// but the invariant is checked.
	applies *bool
}

func always(applies bool) *bool { return &applies }

// withFormatter has an editor format what it saves, so that no text is what was
// expected for long.
func withFormatter(m lsptest.Manners) lsptest.Manners {
	m.FormatOnSave = func(content string) string { return strings.TrimSuffix(content, "// formatted\n") + "// formatted\n" }
	return m
}

func mannersOfAll() map[string]matrixManner {
	plainChanges, whole, wholeFormatted, unchecked := lsptest.Plain(), lsptest.VSCodeLike(), withFormatter(lsptest.VSCodeLike()), lsptest.Plain()
	plainChanges.DocumentChanges, plainChanges.TakesDocumentChanges = false, false
	whole.SendsWhole, wholeFormatted.SendsWhole = true, true
	unchecked.Stale = lsptest.StaleApplied
	part := lsptest.BreakingOff(200 * time.Millisecond)
	part.NamesFailedChange = true
	late := lsptest.Plain()
	late.ApplyDelay = 1300 * time.Millisecond
	typing := func(m *matrix) { m.typeInto("a.ts") }
	closing := func(m *matrix) { m.CloseDocument(lsptest.URI(m.path("b.ts"))) }
	return map[string]matrixManner{
		"honest":                         {lsptest.VSCodeLike(), nil, always(true)},
		"honest, utf-8":                  {lsptest.VSCodeLike().UTF8(), nil, always(true)},
		"as Neovim":                      {lsptest.NeovimLike(), nil, always(true)},
		"as Eglot 1.9":                   {lsptest.EglotLike(), nil, nil},
		"without documentChanges":        {plainChanges, nil, always(true)},
		"whole texts":                    {whole, nil, always(true)},
		"formats on save":                {withFormatter(lsptest.VSCodeLike()), nil, always(true)},
		"formats on save, whole texts":   {wholeFormatted, nil, nil},
		"refusing":                       {lsptest.Refusing("locked"), nil, nil},
		"silent":                         {lsptest.Silent(), nil, nil},
		"late":                           {late, nil, nil},
		"a part, and says all":           {lsptest.Partial(), nil, nil},
		"a part, and names its failure":  {part, nil, nil},
		"a part, and an error":           {lsptest.BreakingOff(0), nil, nil},
		"a part, an error, and debounce": {lsptest.BreakingOff(200 * time.Millisecond), nil, nil},
		"without applyEdit":              {lsptest.NoApplyEdit(), nil, nil},
		"typed in, refuses":              {slowly(lsptest.VSCodeLike()), typing, nil},
		"typed in, an error":             {slowly(lsptest.Erroring()), typing, nil},
		"typed in, skips and says all":   {slowly(skipping()), typing, nil},
		"typed in, version 0":            {slowly(lsptest.NeovimLike()), typing, nil},
		"typed in, checks no version":    {slowly(unchecked), typing, nil},
		"closes a document":              {slowly(lsptest.Plain()), closing, nil},
		"closes a document, no versions": {slowly(plainChanges), closing, nil},
		"closes the connection":          {slowly(lsptest.Plain()), (*matrix).closeConnection, nil},
	}
}

// layout is where files are: with their texts in the editor, and on disk.
type layout struct {
	opened, files map[string]string
	options       any
}

func layouts() map[string]layout {
	texts := func(tail string, names ...string) map[string]string {
		all := map[string]string{}
		for _, name := range names {
			all[name] = fmt.Sprintf("foo(%q);%s\n", name, tail)
		}
		return all
	}
	const unsaved = " // not saved"
	halfSaved := texts("", "b.ts")
	maps.Copy(halfSaved, texts(unsaved, "a.ts"))
	return map[string]layout{
		"closed":        {nil, texts("", "c.ts", "d.ts"), nil},
		"mixed":         {halfSaved, texts("", "a.ts", "b.ts", "c.ts", "d.ts"), nil},
		"not yet saved": {texts(unsaved, "a.ts", "b.ts"), texts("", "c.ts"), nil},
		"through the client": {
			halfSaved, texts("", "a.ts", "b.ts", "c.ts", "d.ts"), object{"apply.unopened": "client"},
		},
	}
}

// matrix is one apply of one client over one layout.
type matrix struct {
	*fixture
	layout
	gone bool // the connection
}

// Whatever a client does: all is new, or all is old, or the human is told of each
// document that is neither; and nothing staged is left.
func TestManners_OverEveryLayout(t *testing.T) {
	for layoutName, l := range layouts() {
		if testing.Short() && layoutName != "mixed" {
			continue // most of its time is waiting for clients that do not answer
		}
		for name, c := range mannersOfAll() {
			if l.opened == nil && c.meanwhile != nil {
				continue // the client is not asked for anything
			}
			t.Run(layoutName+"/"+name, func(t *testing.T) {
				t.Parallel()
				m := &matrix{fixture: startWith(t, c.manners, l.files, l.options, short), layout: l}
				for _, name := range slices.Sorted(maps.Keys(l.opened)) {
					m.Open(m.path(name), l.opened[name])
				}
				m.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
				got := m.apply(c.meanwhile)
				if c.applies != nil && *c.applies != (got.failed == nil) {
					t.Errorf("applied: %v, want %v: %v", got.failed == nil, *c.applies, got.failed)
				}
				m.check(got.failed)
			})
		}
	}
}

// apply applies, with what happens meanwhile. The answer is empty where the
// connection has gone.
func (m *matrix) apply(meanwhile func(m *matrix)) answer {
	if meanwhile == nil {
		return <-m.begin(m.t.Context(), "xcsh.resolve", applyNow())
	}
	done := make(chan answer, 1)
	go func() {
		params := object{"command": "xcsh.resolve", "arguments": []any{applyNow()}}
		raw, err := m.Call(m.t.Context(), protocol.MethodWorkspaceExecuteCommand, params)
		var failed *jsonrpc2.Error
		if err != nil && !errors.As(err, &failed) {
			failed = jsonrpc2.NewError(jsonrpc2.InternalError, err.Error())
		}
		done <- answer{raw, failed}
	}()
	m.WaitReceived(protocol.MethodWorkspaceApplyEdit, 1)
	meanwhile(m)
	return <-done
}

func (m *matrix) check(failed *jsonrpc2.Error) {
	m.t.Helper()
	for _, name := range m.names() {
		if m.gone {
			break
		}
		if failed == nil && !strings.HasPrefix(m.present(name), m.after(name)) {
			m.t.Errorf("applied, and %s is %q", name, m.present(name))
		}
		if failed != nil {
			m.Wait(name+" to be as before, or named", func() bool { return m.present(name) == m.before(name) || m.told(name, failed) })
		}
	}
	m.checkFiles(failed)
	m.onlyFiles(slices.Sorted(maps.Keys(m.files))...)
	if !m.gone && (len(m.pendingIDs()) != 0) != (failed != nil) {
		m.t.Errorf("pending %v after %v", m.pendingIDs(), failed)
	}
}

// checkFiles looks at what the server writes itself: the files that are not open.
func (m *matrix) checkFiles(failed *jsonrpc2.Error) {
	m.t.Helper()
	for name, old := range m.files {
		got := m.disk(name)
		_, opened := m.opened[name]
		switch {
		case opened || m.options != nil: // the client's to write, whole or not at all
			if got != old && !strings.HasPrefix(got, asApplied(old)) && !strings.HasPrefix(got, m.before(name)) {
				m.t.Errorf("%s on disk is %q", name, got)
			}
		case failed == nil && got != asApplied(old), failed != nil && got != old:
			m.t.Errorf("%s on disk is %q after %v", name, got, failed)
		}
	}
}

func (m *matrix) names() []string {
	all := maps.Clone(m.files)
	maps.Copy(all, m.opened)
	return slices.Sorted(maps.Keys(all))
}

func (m *matrix) before(name string) string {
	if content, opened := m.opened[name]; opened {
		return content
	}
	return m.files[name]
}

func (m *matrix) after(name string) string { return asApplied(m.before(name)) }

func asApplied(content string) string { return strings.Replace(content, "foo(", "bar(", 1) }

// present is the text that counts: the editor's, else the disk's.
func (m *matrix) present(name string) string {
	if uri := lsptest.URI(m.path(name)); m.IsOpen(uri) {
		return m.Text(uri)
	}
	content, err := os.ReadFile(m.path(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.t.Fatal(err)
	}
	return string(content)
}

// told reports whether the human has been told that a document is in doubt.
func (m *matrix) told(name string, failed *jsonrpc2.Error) bool {
	_, said, _ := strings.Cut(failed.Message, "In doubt: ")
	for _, message := range m.Messages() {
		said += message.Text
	}
	return strings.Contains(said, name)
}

// typeInto has the human type before the client looks at the edit.
func (m *matrix) typeInto(name string) {
	uri := lsptest.URI(m.path(name))
	m.Change(uri, m.Edit(uri, "// not", "// still not"))
}

// closeConnection ends the client, and then the workspace, as its process does.
func (m *matrix) closeConnection() {
	m.gone = true
	_ = m.wire.Close()
	shutdown := <-m.ended
	m.ended <- shutdown
	m.workspace.Close()
}
