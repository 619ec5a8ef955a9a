package contentstore_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/contentstore"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

const plenty = 1 << 30

func put(t *testing.T, s *contentstore.Store, content string) contentstore.Kept {
	t.Helper()
	kept, err := s.Put([]byte(content))
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func has(t *testing.T, s *contentstore.Store, content string) bool {
	t.Helper()
	got, err := s.Get(text.Hash([]byte(content)))
	if err != nil && !errors.Is(err, contentstore.ErrGone) {
		t.Fatal(err)
	}
	if err == nil && string(got) != content {
		t.Errorf("%q came back as %q", content, got)
	}
	return err == nil
}

// age makes a content older than it is: the clock of a file system is coarse.
func age(t *testing.T, dir, content string, by time.Duration) {
	t.Helper()
	at := time.Now().Add(-by)
	if err := os.Chtimes(blob(dir, content), at, at); err != nil {
		t.Fatal(err)
	}
}

func blob(dir, content string) string {
	return filepath.Join(dir, text.Hash([]byte(content))+".gz")
}

func TestContentsComeBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "store")
	s := contentstore.New(dir, plenty)
	if has(t, s, "a") {
		t.Error("an empty store has a content")
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reading made the folder: %v", err)
	}
	noise := make([]byte, 100_000)
	rand.New(rand.NewSource(1)).Read(noise)
	for _, content := range []string{"", "a", "\xff\x00\r\n" + text.BOM, strings.Repeat("long ", 50_000), string(noise)} {
		kept := put(t, s, content)
		if kept.Hash != text.Hash([]byte(content)) || kept.Dropped != 0 {
			t.Errorf("kept %+v", kept)
		}
		put(t, s, content) // twice is once
		for _, s := range []*contentstore.Store{s, contentstore.New(dir, plenty)} {
			if !has(t, s, content) {
				t.Errorf("%.20q is gone", content)
			}
		}
		wantMode(t, blob(dir, content), 0o600)
	}
	wantMode(t, dir, 0o700)
	if info, err := os.Stat(blob(dir, strings.Repeat("long ", 50_000))); err != nil || info.Size() > 10_000 {
		t.Errorf("not compressed: %v, %v", info.Size(), err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 6 { // and the lock
		t.Errorf("%d files, %v", len(entries), err)
	}
}

func wantMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
		t.Errorf("%s: %v, %v", path, info.Mode(), err)
	}
}

func TestTheOldestGoFirst(t *testing.T) {
	dir := t.TempDir()
	s := contentstore.New(dir, 3*4096) // three small files
	for i, content := range []string{"a", "b", "c"} {
		put(t, s, content)
		age(t, dir, content, time.Duration(10-i)*time.Minute)
	}
	put(t, s, "a") // used again: the newest now
	if kept := put(t, s, "d"); kept.Dropped != 1 {
		t.Errorf("kept %+v", kept)
	}
	for content, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true} {
		if has(t, s, content) != want {
			t.Errorf("has %q: %v", content, !want)
		}
	}
	s.SetLimit(4096)
	if kept := put(t, s, "e"); kept.Dropped != 3 || !has(t, s, "e") {
		t.Errorf("kept %+v", kept)
	}
	s.SetLimit(0)
	if kept := put(t, s, "f"); kept.Hash != "" || kept.Dropped != 1 || has(t, s, "e") || has(t, s, "f") {
		t.Errorf("kept %+v", kept)
	}
}

// What has just been put stays, also where it alone takes more than is left when a
// full store makes room.
func TestTheNewestStays(t *testing.T) {
	const blocks = 32 // two of them are the slack
	noise := make([]byte, (blocks-1)*4096)
	rand.New(rand.NewSource(1)).Read(noise)
	s := contentstore.New(t.TempDir(), blocks*4096)
	put(t, s, "a")
	if kept := put(t, s, string(noise)); kept.Dropped != 1 || has(t, s, "a") || !has(t, s, string(noise)) {
		t.Errorf("kept %+v", kept)
	}
}

func TestALimitOfNothingMakesNoFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	if kept := put(t, contentstore.New(dir, 0), "a"); kept != (contentstore.Kept{}) {
		t.Errorf("kept %+v", kept)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("made the folder: %v", err)
	}
}

func TestATooLargeContentDropsNothing(t *testing.T) {
	dir := t.TempDir()
	s := contentstore.New(dir, 4096)
	put(t, s, "a")
	noise := make([]byte, 10_000)
	rand.New(rand.NewSource(1)).Read(noise)
	if _, err := s.Put(noise); !errors.Is(err, contentstore.ErrTooLarge) {
		t.Errorf("error %v", err)
	}
	if !has(t, s, "a") {
		t.Error("what fits was dropped")
	}
}

// A damaged file counts as gone, and is made good by the next Put.
func TestDamagedContents(t *testing.T) {
	dir := t.TempDir()
	s := contentstore.New(dir, plenty)
	put(t, s, "some content")
	whole, err := os.ReadFile(blob(dir, "some content"))
	if err != nil {
		t.Fatal(err)
	}
	for size := range len(whole) {
		if err := os.WriteFile(blob(dir, "some content"), whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		if has(t, s, "some content") {
			t.Errorf("cut at %d it is not missed", size)
		}
	}
	put(t, s, "other")
	if err := os.Rename(blob(dir, "other"), blob(dir, "some content")); err != nil {
		t.Fatal(err)
	}
	if has(t, s, "some content") {
		t.Error("another content is not noticed")
	}
	put(t, s, "some content")
	if !has(t, s, "some content") {
		t.Error("the next Put does not make it good")
	}
}

func TestNamesThatAreNoHashes(t *testing.T) {
	dir := t.TempDir()
	s := contentstore.New(filepath.Join(dir, "store"), plenty)
	put(t, s, "a")
	for _, name := range []string{"", "../x", strings.Repeat("0", 63), strings.Repeat("g", 64), strings.Repeat("A", 64), "../" + strings.Repeat("0", 61)} {
		if _, err := s.Get(name); err != contentstore.ErrGone {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAStoreThatCannotBeWrittenOrRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // where the folder should be
		t.Fatal(err)
	}
	s := contentstore.New(dir, plenty)
	if _, err := s.Put([]byte("a")); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("Put: %v, want an error that names the store", err)
	}
	if _, err := s.Get(text.Hash(nil)); err == nil || errors.Is(err, contentstore.ErrGone) || !strings.Contains(err.Error(), dir) {
		t.Errorf("Get: %v, want an error that names the store", err)
	}
	// A folder in the place of a content.
	dir = t.TempDir()
	if err := os.MkdirAll(filepath.Join(blob(dir, "a"), "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := contentstore.New(dir, plenty).Put([]byte("a")); err == nil {
		t.Error("Put over a folder does not fail")
	}
	left, err := filepath.Glob(filepath.Join(dir, "new-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind %v, %v", left, err)
	}
}

const (
	writerDir  = "XCSH_TEST_WRITER_DIR"
	writerName = "XCSH_TEST_WRITER_NAME"
	puts       = 40
)

// TestMain is a writer where a test has started this program as one. It prints the
// hash of each content that is kept.
func TestMain(m *testing.M) {
	dir, name := os.Getenv(writerDir), os.Getenv(writerName)
	if dir == "" {
		os.Exit(m.Run())
	}
	s := contentstore.New(dir, plenty)
	for i := range puts {
		kept, err := s.Put(contentOf(name, i))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(kept.Hash)
	}
}

// contentOf: every other content is the same for all writers.
func contentOf(name string, i int) []byte {
	if i%2 == 0 {
		name = "all"
	}
	return bytes.Repeat(fmt.Appendf(nil, "%s %d\n", name, i), 20_000)
}

func writer(dir, name string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerDir+"="+dir, writerName+"="+name)
	cmd.Stderr = os.Stderr
	return cmd
}

func TestProcessesShareAStore(t *testing.T) {
	dir := t.TempDir()
	var writers []*exec.Cmd
	for i := range 3 {
		cmd := writer(dir, strconv.Itoa(i))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		writers = append(writers, cmd)
	}
	for _, cmd := range writers {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	s := contentstore.New(dir, plenty)
	for i := range writers {
		for j := range puts {
			if !has(t, s, string(contentOf(strconv.Itoa(i), j))) {
				t.Errorf("content %d of process %d is gone", j, i)
			}
		}
	}
}

// Processes are killed at any moment: what each said to be kept is there, and what
// it had not finished is removed by the next.
func TestKilledProcessesLoseNothing(t *testing.T) {
	dir := t.TempDir()
	var kept []string
	for i := range 8 {
		cmd := writer(dir, strconv.Itoa(i))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range 1 + 2*i {
			if !lines.Scan() {
				t.Fatal("the writer ended by itself")
			}
			kept = append(kept, lines.Text())
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() { // what it said until then
			kept = append(kept, lines.Text())
		}
		_ = cmd.Wait() // it was killed
	}
	s := contentstore.New(dir, plenty)
	for _, hash := range kept {
		if content, err := s.Get(hash); err != nil || text.Hash(content) != hash {
			t.Errorf("%s: %v", hash, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "new-LEFT"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, s, "next")
	if left, err := filepath.Glob(filepath.Join(dir, "new-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind %v, %v", left, err)
	}
}

func BenchmarkPutIntoAFullStore(b *testing.B) {
	dir := b.TempDir()
	for i := range 10_000 {
		if err := os.WriteFile(blob(dir, strconv.Itoa(i)), []byte("x"), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	s := contentstore.New(dir, 10_000*4096)
	for i := 0; b.Loop(); i++ {
		if _, err := s.Put(fmt.Appendf(nil, "next %d", i)); err != nil {
			b.Fatal(err)
		}
	}
}
