package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPathsOutsideTheCurrentFolder(t *testing.T) {
	s := newShell(t)
	s.write("a.ts", "foo(1);\n")
	s.write("../other/b.ts", "foo(2);\n")
	s.write("../other/sub/c.ts", "foo(3);\n")
	other := filepath.Join(filepath.Dir(s.dir), "other")
	const (
		b = "# b.ts (1 replacement)\n-1:1 foo(2)\n+1:1 bar(2)\n"
		c = "## └─ c.ts (1 replacement)\n-1:1 foo(3)\n+1:1 bar(3)\n"
	)
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"a folder", []string{"../other"}, b + "\n# sub\n" + c},
		{"a folder, absolute", []string{other}, b + "\n# sub\n" + c},
		{"a file", []string{"../other/b.ts"}, "-1:1 foo(2)\n+1:1 bar(2)\n"},
		{"a glob", []string{"../other/**/c.ts"}, "# sub\n" + c},
		{"the same twice", []string{"../other", other}, b + "\n# sub\n" + c},
		{"one within another", []string{"../other/sub", "../other"}, b + "\n# sub\n" + c},
		{"two files of one folder", []string{"../other/b.ts", "../other/sub/c.ts"}, b + "\n# sub\n" + c},
		{"inside and outside", []string{"a.ts", "../other/b.ts"}, "# other\n## └─ b.ts (1 replacement)\n-1:1 foo(2)\n+1:1 bar(2)\n\n" +
			"# project\n## └─ a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)\n"},
		{"inside, written as from outside", []string{"../project/a.ts"}, "-1:1 foo(1)\n+1:1 bar(1)\n"},
		{"with --glob", []string{"--glob", "*.ts", "../other"}, b},
	} {
		t.Run(tt.name, func(t *testing.T) { s.edit(tt.args...).prints(t, tt.want) })
	}
}

func TestSymbolicLinks(t *testing.T) {
	setup := func(t *testing.T) *shell {
		s := newShell(t)
		s.write("a.ts", "foo(1);\n")
		s.write("../other/b.ts", "foo(2);\n")
		s.link("../other", "away")
		s.link("../other/b.ts", "away.ts")
		s.link("a.ts", "near.ts")
		return s
	}
	apply := []string{"--apply", "--reason", "because"}

	for _, path := range []string{"away", "away.ts", "away/b.ts", "away/*.ts"} {
		t.Run("out of the current folder: "+path, func(t *testing.T) {
			s := setup(t)
			s.edit(append(apply, path)...).fails(t, "Path is outside the workspace: "+path)
			s.edit(append(apply, "a.ts", path)...).fails(t, "Path is outside the workspace: "+path)
			s.holds("../other/b.ts", "foo(2);\n")
			s.holds("a.ts", "foo(1);\n")
		})
	}
	t.Run("out of another folder", func(t *testing.T) {
		s := setup(t)
		s.write("../third/c.ts", "foo(3);\n")
		s.link("../third/c.ts", "../other/c.ts")
		path := filepath.Join(filepath.Dir(s.dir), "other", "c.ts")
		s.edit(append(apply, path)...).fails(t, "Path is outside the workspace: "+path)
		s.holds("../third/c.ts", "foo(3);\n")
	})
	t.Run("met in a folder", func(t *testing.T) {
		s := setup(t)
		s.edit(apply...)
		s.holds("a.ts", "bar(1);\n")
		s.holds("../other/b.ts", "foo(2);\n")
	})
	t.Run("within the current folder", func(t *testing.T) {
		s := setup(t)
		s.edit(append(apply, "near.ts")...).prints(t, "-1:1 foo(1)\n+1:1 bar(1)\n\nApplied 1 replacement in 1 file.\n")
		s.holds("a.ts", "bar(1);\n")
		if info, err := os.Lstat("near.ts"); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("near.ts is no link any more: %v, %v", info, err)
		}
	})
	t.Run("to a folder elsewhere, from elsewhere", func(t *testing.T) {
		s := setup(t)
		s.link("other", "../alias")
		s.edit("../alias").prints(t, "# b.ts (1 replacement)\n-1:1 foo(2)\n+1:1 bar(2)\n")
	})
	t.Run("the current folder itself", func(t *testing.T) {
		s := setup(t)
		s.link("project", "../alias")
		alias := filepath.Join(filepath.Dir(s.dir), "alias")
		t.Chdir(alias) // sets $PWD too, as a shell does
		s.edit("a.ts").prints(t, "-1:1 foo(1)\n+1:1 bar(1)\n")
		s.edit(filepath.Join(alias, "a.ts")).prints(t, "-1:1 foo(1)\n+1:1 bar(1)\n")
	})
}

// A shell's $PWD may name the current folder by a link; `..` is where the system
// says, as for every other program.
func TestParentOfLinkedFolder(t *testing.T) {
	s := newShell(t)
	s.write("../x.ts", "foo(1);\n")
	s.write("../elsewhere/x.ts", "foo(2);\n")
	s.link("../project", "../elsewhere/alias")
	t.Chdir(filepath.Join(filepath.Dir(s.dir), "elsewhere", "alias"))
	s.edit("../x.ts").prints(t, "-1:1 foo(1)\n+1:1 bar(1)\n")
}
