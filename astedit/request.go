package astedit

import (
	"fmt"
	"math"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// Metadata of the tool (ast_edit.md 1).
const (
	ToolName  = "ast_edit"
	ToolLabel = "AST Edit"
)

// Op is one rule: a pattern and the template that replaces what it matches.
// Neither is trimmed; an empty Out deletes the match.
type Op struct {
	Pat string `json:"pat"`
	Out string `json:"out"`
}

// Request is what the user asks for (ast_edit.md 2).
type Request struct {
	Ops   []Op     `json:"ops"`
	Lang  string   `json:"lang,omitzero"`
	Path  *string  `json:"path,omitzero"`
	Paths []string `json:"paths,omitzero"`
	Glob  *string  `json:"glob,omitzero"`
	Sel   string   `json:"sel,omitzero"`
	// Limit caps the replacements over all files; fractions are floored.
	Limit *float64 `json:"limit,omitzero"`
}

// Texts of the errors in a request (ast_edit.md 3, 6.1).
const (
	textEmptyPattern        = "`ops[%d].pat` must be a non-empty pattern"
	textNoOps               = "`ops` must include at least one op entry"
	textDuplicatePattern    = "Duplicate rewrite pattern: %s"
	textBadLimit            = "limit must be a positive number"
	textUnsupportedLanguage = "Unsupported language '%s'. Supported: %s"
	textNoSupportedFiles    = "ast_edit found no supported source files for the given path/glob"
)

// UserError is a failure whose text is for the user as it stands: a bad request,
// or a scope that cannot be searched.
type UserError struct{ Text string }

func (e *UserError) Error() string { return e.Text }

func userErrorf(format string, args ...any) error {
	return &UserError{fmt.Sprintf(format, args...)}
}

// validate checks what needs no look at the workspace, in the specified order.
func (r *Request) validate() error {
	seen := make(map[string]bool, len(r.Ops))
	for i, op := range r.Ops {
		if op.Pat == "" {
			return userErrorf(textEmptyPattern, i)
		}
	}
	if len(r.Ops) == 0 {
		return userErrorf(textNoOps)
	}
	for _, op := range r.Ops {
		if seen[op.Pat] {
			return userErrorf(textDuplicatePattern, op.Pat)
		}
		seen[op.Pat] = true
	}
	if r.Limit != nil {
		if floor := math.Floor(*r.Limit); math.IsNaN(floor) || math.IsInf(floor, 0) || floor < 1 {
			return userErrorf(textBadLimit)
		}
	}
	return nil
}

// maxReplacements returns the cap on replacements.
func (r *Request) maxReplacements() int {
	if r.Limit == nil || *r.Limit >= math.MaxInt32 {
		return math.MaxInt
	}
	return int(math.Floor(*r.Limit))
}

func (r *Request) selector() string { return strings.TrimSpace(r.Sel) }

// language returns the language asked for, nil where each file has its own.
func (r *Request) language(registry *syntax.Registry) (*syntax.Language, error) {
	name := strings.TrimSpace(r.Lang)
	if name == "" {
		return nil, nil
	}
	lang, ok := registry.ByAlias(name)
	if !ok {
		return nil, userErrorf(textUnsupportedLanguage, name, strings.Join(registry.Aliases(), ", "))
	}
	return lang, nil
}
