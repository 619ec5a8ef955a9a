package session_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// revertModel knows what every decision made of which files. Texts are without the
// byte order mark, which editors do not show.
type revertModel struct {
	*fixture
	names     []string
	rng       *rand.Rand
	decisions map[string]map[string][2]string // by id and name: before, after
	reverted  int
	refused   int
}

// present is what a user sees of a file.
func (m *revertModel) present(name string) string {
	content, open := m.host.text(m.path(name))
	if !open {
		var err error
		if content, err = os.ReadFile(m.path(name)); err != nil {
			m.t.Fatal(err)
		}
	}
	return strings.TrimPrefix(string(content), text.BOM)
}

func (m *revertModel) snapshot() map[string]string {
	all := map[string]string{}
	for _, name := range m.names {
		all[name] = m.present(name)
	}
	return all
}

// decided notes what the decision made last did.
func (m *revertModel) decided(before map[string]string) {
	made := map[string][2]string{}
	for name, after := range m.snapshot() {
		if before[name] != after {
			made[name] = [2]string{before[name], after}
		}
	}
	m.decisions[m.fixture.decisions()[0].ID] = made
}

func (m *revertModel) step() {
	switch name := m.names[m.rng.IntN(len(m.names))]; m.rng.IntN(7) {
	case 0, 1, 2:
		m.edit()
	case 3, 4:
		m.undo()
	case 5: // somebody types, now and then back to what it was
		m.typed(name, m.present(name)+[]string{"", "// more\r\n"}[m.rng.IntN(2)])
	case 6:
		m.toggle(name)
	}
}

func (m *revertModel) edit() {
	words := []string{"foo", "bar", "baz"}
	from, to := words[m.rng.IntN(3)], words[m.rng.IntN(3)]
	before := m.snapshot()
	_, ref := m.propose(rule(from+"($A)", to+"($A)"))
	if ref == nil || from == to {
		if ref != nil {
			m.mustApply(ref) // changes nothing, and so cannot be reverted
		}
		return
	}
	m.mustApply(ref)
	m.decided(before)
}

// undo reverts one of the decisions, where the model says that it can be.
func (m *revertModel) undo() {
	log := m.fixture.decisions()
	if len(log) == 0 {
		return
	}
	id := log[m.rng.IntN(min(len(log), 5))].ID
	made, before := m.decisions[id], m.snapshot()
	var changed []string
	for _, name := range m.names {
		if change, ok := made[name]; ok && before[name] != change[1] {
			changed = append(changed, name)
		}
	}
	_, ref, err := m.revert(id)
	switch {
	case len(made) == 0:
		wantToolError(m.t, err, "Cannot revert: it changed no files that are known here.")
		return
	case len(changed) > 0:
		m.refused++
		wantToolError(m.t, err, "Cannot revert: "+strings.Join(changed, ", ")+" changed since.")
		return
	case err != nil:
		m.t.Fatalf("revert of %v: %v", made, err)
	}
	m.reverted++
	m.mustApply(&ref)
	for name, now := range m.snapshot() {
		want := before[name]
		if change, ok := made[name]; ok {
			want = change[0]
		}
		if now != want {
			m.t.Fatalf("%s is %q, want %q", name, now, want)
		}
	}
	m.decided(before)
}

// toggle opens a file in the editor, or saves and closes it.
func (m *revertModel) toggle(name string) {
	content, open := m.host.text(m.path(name))
	if !open {
		m.typed(name, m.present(name))
		return
	}
	bom := ""
	if strings.HasPrefix(name, "bom") {
		bom = text.BOM
	}
	m.write(name, bom+string(content))
	m.host.close(m.path(name))
}

func TestRevertsAgainstAModel(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			files := map[string]string{
				"a.ts": "foo(1);\nbar(foo(2));\nbaz(3);", "bom.ts": text.BOM + "foo(1);\r\nbar('😀');\r\n", "c.ts": "baz(1); foo(2); foo(3);\r\n",
			}
			m := &revertModel{
				fixture: newFixture(t, files), names: []string{"a.ts", "bom.ts", "c.ts"},
				rng: rand.New(rand.NewPCG(seed, 1)), decisions: map[string]map[string][2]string{},
			}
			for range 80 {
				m.step()
			}
			if m.reverted == 0 || m.refused == 0 {
				t.Errorf("%d reverted, %d refused: the test does not test", m.reverted, m.refused)
			}
			m.wantNoTraces()
		})
	}
}
