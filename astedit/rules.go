package astedit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/match"
	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// Texts of the issues that a pattern gives (ast_edit.md 9.3).
const (
	issuePattern           = "%s: Invalid pattern: %s"
	issuePatternInLanguage = "%s (%s): Invalid pattern: %s"
	issuePatternForFile    = "%s: %s: Invalid pattern: %s"
)

// warningUnbound tells of a likely slip: a name that vanishes (ast_edit.md 8).
const warningUnbound = "`ops[%d].out` uses %s, which its pattern does not have: it becomes empty"

// rule is one op compiled for one language.
type rule struct {
	index   int // in the request's ops
	pattern *match.Pattern
	out     *match.Replacement
}

// ruleSet is the request's ops compiled for the languages in use.
type ruleSet struct {
	ops        []Op
	strictness Strictness
	usable     map[*syntax.Language][]rule
	// details says why an op does not compile in a language.
	details map[*syntax.Language]map[int]string
	langs   []*syntax.Language // sorted by name

	// How the files are scanned.
	shortcuts shortcuts
	cache     *treeCache
	parseTime func(size int) time.Duration
}

func compileRules(ctx context.Context, req *Request, langs []*syntax.Language, strictness Strictness) (*ruleSet, error) {
	set := &ruleSet{
		parseTime: parseTime, ops: req.Ops, strictness: strictness, usable: map[*syntax.Language][]rule{}, details: map[*syntax.Language]map[int]string{},
		langs: slices.SortedFunc(slices.Values(langs), func(a, b *syntax.Language) int { return strings.Compare(a.Name, b.Name) }),
	}
	outs := make([]*match.Replacement, len(req.Ops))
	for i, op := range req.Ops {
		outs[i] = match.CompileTemplate(op.Out)
	}
	for _, lang := range set.langs {
		if err := set.compileFor(ctx, lang, req.selector(), outs); err != nil {
			return nil, err
		}
	}
	return set, nil
}

func (s *ruleSet) compileFor(ctx context.Context, lang *syntax.Language, selector string, outs []*match.Replacement) error {
	parser, err := syntax.NewParser(lang)
	if err != nil {
		return err
	}
	defer parser.Close()
	s.details[lang] = map[int]string{}
	for i, op := range s.ops {
		pattern, err := match.Compile(ctx, lang, parser, op.Pat, selector, s.strictness)
		var invalid *match.CompileError
		switch {
		case errors.As(err, &invalid):
			s.details[lang][i] = invalid.Detail
		case err != nil:
			return err
		default:
			s.usable[lang] = append(s.usable[lang], rule{i, pattern, outs[i]})
		}
	}
	return nil
}

// anyUsable reports whether some rule compiles in some language.
func (s *ruleSet) anyUsable() bool { return len(s.usable) > 0 }

// generalIssues names the rules that compile in no language in use.
func (s *ruleSet) generalIssues() []string {
	var issues []string
	for i, op := range s.ops {
		if s.compilesSomewhere(i) {
			continue
		}
		for _, lang := range s.langs {
			if len(s.langs) == 1 {
				issues = append(issues, fmt.Sprintf(issuePattern, op.Pat, s.details[lang][i]))
			} else {
				issues = append(issues, fmt.Sprintf(issuePatternInLanguage, op.Pat, lang.Name, s.details[lang][i]))
			}
		}
	}
	return issues
}

// fileIssues names the rules that are left out for a file of lang although they
// compile in another language.
func (s *ruleSet) fileIssues(lang *syntax.Language, display string) []string {
	var issues []string
	for i, op := range s.ops {
		if detail, failed := s.details[lang][i]; failed && s.compilesSomewhere(i) {
			issues = append(issues, fmt.Sprintf(issuePatternForFile, op.Pat, display, detail))
		}
	}
	return issues
}

// warnings names the variables of templates that their patterns do not bind.
func (s *ruleSet) warnings() []string {
	var warnings []string
	for i := range s.ops {
		for _, lang := range s.langs {
			k := slices.IndexFunc(s.usable[lang], func(r rule) bool { return r.index == i })
			if k < 0 {
				continue
			}
			r := s.usable[lang][k]
			for _, name := range r.out.Unbound(r.pattern) {
				warnings = append(warnings, fmt.Sprintf(warningUnbound, i, name))
			}
			break // the same in every language
		}
	}
	return warnings
}

func (s *ruleSet) compilesSomewhere(op int) bool {
	for _, lang := range s.langs {
		if _, failed := s.details[lang][op]; !failed {
			return true
		}
	}
	return false
}
