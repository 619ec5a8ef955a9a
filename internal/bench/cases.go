package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const typescriptPackage = "@oh-my-pi/pi-coding-agent"

// benchCase is one pattern over one corpus. Its exported fields go to the child
// process.
type benchCase struct {
	corpus, lang string

	Class, Dir, Glob  string
	Pattern, Selector string
	Workers           int
	Warm              bool // the second run of an engine that keeps its trees
}

type corpus struct{ name, lang, dir, glob string }

func findCorpora(dirs [3]string) ([]corpus, error) {
	var err error
	find := func(dir string, search func() (string, error)) string {
		if dir == "" && err == nil {
			dir, err = search()
		}
		return dir
	}
	corpora := []corpus{
		{"Go", "go", find(dirs[0], goLibrary), "**/*.go"},
		{"Python", "python", find(dirs[1], pythonLibrary), "**/*.py"},
		{"TypeScript", "typescript", find(dirs[2], typescriptSources), "**/*.ts"},
	}
	return corpora, err
}

func output(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return strings.TrimSpace(string(out)), nil
}

func goLibrary() (string, error) {
	root, err := output("go", "env", "GOROOT")
	return filepath.Join(root, "src"), err
}

// pythonLibrary returns the standard library alone: where packages are installed
// inside of its folder, a copy without them.
func pythonLibrary() (string, error) {
	dir, err := output("python3", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])")
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, packagesFolder)); err != nil {
		return dir, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	alone := filepath.Join(cache, "xcsh-lsp-bench", "python-"+strings.ReplaceAll(strings.Trim(dir, "/"), "/", "-"))
	if _, err := os.Stat(alone); err == nil {
		return alone, nil
	}
	return alone, copyPython(dir, alone)
}

const packagesFolder = "site-packages"

// copyPython copies the Python files below from, but for installed packages. It is
// all there or not at all.
func copyPython(from, to string) error {
	part := to + ".part"
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == packagesFolder:
			return fs.SkipDir
		case !entry.Type().IsRegular() || filepath.Ext(path) != ".py":
			return nil
		}
		target := filepath.Join(part, strings.TrimPrefix(path, from))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
	if err != nil {
		return err
	}
	return os.Rename(part, to)
}

func typescriptSources() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "xcsh-lsp-bench")
	sources := filepath.Join(dir, "package")
	if _, err := os.Stat(sources); err == nil {
		return sources, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	archive, err := output("npm", "pack", "--silent", "--pack-destination", dir, typescriptPackage)
	if err != nil {
		return "", err
	}
	_, err = output("tar", "xzf", filepath.Join(dir, filepath.Base(archive)), "-C", dir)
	return sources, err
}

// cases are the classes of patterns over each corpus.
func cases(corpora []corpus) []benchCase {
	var all []benchCase
	for _, c := range corpora {
		for _, p := range patterns(c.lang) {
			all = append(all, benchCase{corpus: c.name, lang: c.lang, Class: p.class, Dir: c.dir, Glob: c.glob, Pattern: p.pattern, Selector: p.selector})
		}
	}
	return all
}

type pattern struct{ class, pattern, selector string }

// A rare literal has about one match in two megabytes on each corpus, a common one
// some tens a megabyte or more.
func patterns(lang string) []pattern {
	switch lang {
	case "go":
		const call = "call_expression"
		return []pattern{
			{"no match", "func t() { thisNameIsNowhere($$$A) }", call},
			{"rare literal", "func t() { strings.Replace($S, $OLD, $NEW, -1) }", call},
			{"common literal", "func t() { fmt.Errorf($$$A) }", call},
			{"operator", "func t() { _ = $A && $A() }", "binary_expression"},
			{"operator, two names", "func t() { _ = $A && $B.$C() }", "binary_expression"},
			{"no usable token", "$X, $Y = $Y, $X", ""},
			{"everything", "func t() { $F($$$A) }", call},
		}
	case "python":
		return []pattern{
			{"no match", "this_name_is_nowhere($$$A)", ""},
			{"rare literal", "subprocess.check_output($$$A)", ""},
			{"common literal", "isinstance($A, $B)", ""},
			{"operator", "$A and $A()", ""},
			{"operator, two names", "$A and $B.$C()", ""},
			{"no usable token", "$X, $Y = $Y, $X", ""},
			{"everything", "$F($$$A)", ""},
		}
	}
	return []pattern{
		{"no match", "thisNameIsNowhere($$$A)", ""},
		{"rare literal", "queueMicrotask($A)", ""},
		{"literal, less rare", "structuredClone($A)", ""},
		{"common literal", "console.log($$$A)", ""},
		{"operator", "$A && $A()", ""},
		{"operator, two names", "$A && $B.$C()", ""},
		{"no usable token", "[$X, $Y] = [$Y, $X]", ""},
		{"everything", "$F($$$A)", ""},
	}
}
