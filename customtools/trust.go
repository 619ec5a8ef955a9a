package customtools

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// TrustMode is what the setting trusted says.
type TrustMode int

// The modes. The zero value asks.
const (
	TrustAsk TrustMode = iota
	TrustAlways
	TrustNever
)

// ParseTrustMode reads "true" and "false"; anything else asks.
func ParseTrustMode(setting string) TrustMode {
	switch setting {
	case "true":
		return TrustAlways
	case "false":
		return TrustNever
	}
	return TrustAsk
}

// Trust decides whether the code that a workspace brings may run. It is safe
// for concurrent use.
type Trust struct {
	store *TrustStore
	// code returns what runs for a module.
	code func(module string) ([]byte, error)

	mu       sync.Mutex
	mode     TrustMode
	declined map[string]bool   // digests that a human did not trust in this session
	sums     map[string]string // of the code that the last check found trusted, by file
}

// NewTrust returns a Trust that remembers in store. code returns all that
// would run for the module at an absolute path, what it imports included,
// without running it; nil stands for the module's own text. Where code fails,
// the text counts.
func NewTrust(mode TrustMode, store *TrustStore, code func(module string) ([]byte, error)) *Trust {
	if code == nil {
		code = readRegular
	}
	return &Trust{store: store, code: code, mode: mode, declined: map[string]bool{}}
}

// SetMode changes the mode: an editor tells when its own trust changes.
func (t *Trust) SetMode(mode TrustMode) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mode = mode
}

// TrustQuestion is what a human is asked about: these files of this workspace,
// as they are now.
type TrustQuestion struct {
	Workspace string
	Files     []string // absolute
	digest    string
}

// Check says whether what the workspace brings may run: the files of
// [Discovery.Project], found with trust. workspace is its first folder, by its
// real path. A question that is not nil is to be put to a human, if there is
// one; until it is answered nothing runs. The same question comes once.
func (t *Trust) Check(workspace string, project []string) (trusted bool, question *TrustQuestion, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sums = nil
	if len(project) == 0 || t.mode != TrustAsk {
		return t.mode == TrustAlways || len(project) == 0, nil, nil
	}
	digest, sums := t.digest(project)
	if t.declined[digest] {
		return false, nil, nil
	}
	known, err := t.store.Digest(workspace)
	if err == nil && known == digest {
		t.sums = sums
		return true, nil, nil
	}
	return false, &TrustQuestion{workspace, project, digest}, err
}

// Grant remembers that a human trusts what the question was about. It fails
// where the files have changed since.
func (t *Trust) Grant(q *TrustQuestion) error {
	if digest, _ := t.digest(q.Files); digest != q.digest {
		return fmt.Errorf("the tools of %s have changed since the question: look at them again", q.Workspace)
	}
	return t.store.Remember(q.Workspace, q.digest)
}

// Decline keeps the question from coming again in this session, as long as the
// files stay as they are.
func (t *Trust) Decline(q *TrustQuestion) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.declined[q.digest] = true
}

// Pin marks the modules whose code the last check found trusted: only that code
// may run. A file may change between the check and the load.
func (t *Trust) Pin(paths []ToolPath) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range paths {
		paths[i].CodeSum = t.sums[paths[i].Path]
	}
}

// CodeSum identifies the code of a module, by all of its text.
func CodeSum(code []byte) string {
	sum := sha256.Sum256(code)
	return hex.EncodeToString(sum[:])
}

// digest is a hash of the files: their paths, and what would run. sums are the
// parts of it.
func (t *Trust) digest(files []string) (digest string, sums map[string]string) {
	sum := sha256.New()
	sums = map[string]string{}
	enc := json.NewEncoder(sum)
	for _, file := range files {
		var err error
		sums[file], err = t.sum(file)
		problem := ""
		if err != nil {
			problem = err.Error()
		}
		// JSON keeps the parts apart. Writing to a hash cannot fail.
		_ = enc.Encode([]string{file, sums[file], problem})
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), sums
}

// sum identifies what would run for a file, as [CodeSum] does: the code of a
// module, and the whole of any other file and of a module that is none yet.
func (t *Trust) sum(file string) (string, error) {
	if isModule(file) {
		if code, err := t.code(file); err == nil {
			return CodeSum(code), nil
		}
	}
	f, err := openRegular(file) // as large as a runtime is
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
