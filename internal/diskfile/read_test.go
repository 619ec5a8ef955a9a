package diskfile_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/diskfile"
)

// One buffer goes from file to file: each read gives the file's bytes and none of
// those before it.
func TestReadInto_GivesWhatReadFileGives(t *testing.T) {
	dir := t.TempDir()
	var buffer []byte
	for i, content := range []string{"", "a", strings.Repeat("long\n", 10_000), "short", strings.Repeat("x", 511), strings.Repeat("y", 512), strings.Repeat("z", 513)} {
		path := filepath.Join(dir, string(rune('a'+i)))
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := diskfile.ReadInto(path, buffer)
		if err != nil || string(got) != content {
			t.Errorf("%d bytes instead of %d (%v)", len(got), len(content), err)
		}
		buffer = got
	}
}

func TestReadInto_ReusesTheBuffer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("content"), 0o644); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 0, 64)
	got, err := diskfile.ReadInto(path, buffer)
	if err != nil || &got[0] != &buffer[:1][0] {
		t.Errorf("the content is not in the buffer (%v)", err)
	}
}

// Files without a size of their own are read to their end.
func TestReadInto_FileWithoutSize(t *testing.T) {
	const path = "/proc/self/cmdline"
	want, err := os.ReadFile(path)
	if err != nil {
		t.Skip("no " + path + " on this system")
	}
	if got, err := diskfile.ReadInto(path, nil); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%q (%v), want %q", got, err, want)
	}
}

func TestReadInto_ErrorsAreThoseOfReadFile(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "missing"), filepath.Join(dir, "missing", "below")} {
		_, want := os.ReadFile(path)
		_, got := diskfile.ReadInto(path, nil)
		var inPath *fs.PathError
		if !errors.As(got, &inPath) || !reflect.DeepEqual(got, want) {
			t.Errorf("error %v, want %v", got, want)
		}
	}
}
