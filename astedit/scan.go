package astedit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/match"
	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// Texts of the issues that a file gives (ast_edit.md 9.3).
const (
	issueSyntaxErrors = "%s: parse error (syntax tree contains error nodes)"
	issueNotUTF8      = "%s: stream did not contain valid UTF-8"
	issueBinary       = "%s: binary file"
	issueTimedOut     = "%s: timed out"
	issueUnreadable   = "%s: %s"
)

// A file's time to parse: some grammars take for ever on text that is not of
// their language. Real code parses at 5 MB/s, the densest at 1 MB/s, and a busy
// machine may need eight times as long.
const (
	parseTimeBase  = 5 * time.Second
	parseTimePerMB = 8 * time.Second
	bytesPerMB     = 1 << 20
)

// parseTime is the time of a file of so many bytes.
func parseTime(size int) time.Duration {
	return parseTimeBase + parseTimePerMB*time.Duration(size/bytesPerMB)
}

// candidate is a file to scan, with the language it is read in.
type candidate struct {
	path    string // absolute
	display string
	lang    *syntax.Language
}

// outcome is what scanning one file gave: an edit, where something matched, and
// the file's issues.
type outcome struct {
	edit   *FileEdit
	issues []string
	err    error // ends the run
}

// scanner scans files one after the other. It belongs to one goroutine.
type scanner struct {
	workspace *Workspace
	rules     *ruleSet
	parsers   map[*syntax.Language]*syntax.Parser
	holes     map[*syntax.Language]*holeFinder
	buffer    []byte       // of one file after the other
	live      *syntax.Live // of the one file that is scanned; nil for none
}

func newScanner(w *Workspace, rules *ruleSet) *scanner {
	return &scanner{
		workspace: w, rules: rules,
		parsers: map[*syntax.Language]*syntax.Parser{}, holes: map[*syntax.Language]*holeFinder{},
	}
}

func (s *scanner) close() {
	for _, p := range s.parsers {
		p.Close()
	}
}

func (s *scanner) scan(ctx context.Context, file candidate) outcome {
	issues := s.rules.fileIssues(file.lang, file.display)
	rules := s.rules.usable[file.lang]
	if len(rules) == 0 {
		return outcome{issues: issues}
	}
	var source sourceText
	var err error
	if source, s.buffer, err = s.workspace.readInto(file.path, s.buffer); err != nil {
		return outcome{issues: append(issues, fmt.Sprintf(issueUnreadable, file.display, reason(err)))}
	}
	if problem := unreadableText(source.bytes); problem != "" {
		return outcome{issues: append(issues, fmt.Sprintf(problem, file.display))}
	}
	if !s.rules.shortcuts.noPrefilter {
		if rules = mayMatch(rules, source.bytes); len(rules) == 0 {
			return outcome{issues: issues}
		}
	}
	if s.live == nil { // else a parse of what has changed is cheaper still
		if tree, all, ok := s.findAround(ctx, file, &source, rules); ok {
			edit, err := s.edit(file, tree, all)
			return outcome{edit: edit, issues: issues, err: err}
		}
	}
	tree, err := s.wholeTree(ctx, file, &source)
	switch {
	case errors.Is(err, syntax.ErrTimeout):
		return outcome{issues: append(issues, fmt.Sprintf(issueTimedOut, file.display))}
	case errors.Is(err, syntax.ErrTooLarge), errors.Is(err, syntax.ErrTooNested):
		return outcome{issues: append(issues, fmt.Sprintf(issueUnreadable, file.display, err))}
	case err != nil:
		return outcome{err: err}
	}
	if tree.HasError {
		issues = append(issues, fmt.Sprintf(issueSyntaxErrors, file.display))
	}
	all, _ := s.find(ctx, tree, rules, nil)
	if err := ctx.Err(); err != nil {
		return outcome{err: err}
	}
	edit, err := s.edit(file, tree, all)
	return outcome{edit: edit, issues: issues, err: err}
}

// wholeTree returns the tree of source, without holes.
func (s *scanner) wholeTree(ctx context.Context, file candidate, source *sourceText) (*syntax.Tree, error) {
	if s.live != nil {
		return s.live.Parse(ctx, source.own(), s.rules.parseTime(len(source.bytes)))
	}
	if tree, holes, ok := s.rules.cache.get(file.path, file.lang, source.bytes); ok && len(holes) == 0 {
		return tree, nil
	}
	tree, err := s.parse(ctx, file.lang, source.own(), nil)
	if err == nil {
		s.rules.cache.put(file.path, file.lang, tree, nil)
	}
	return tree, err
}

func unreadableText(source []byte) (issue string) {
	switch {
	case !utf8.Valid(source):
		return issueNotUTF8
	case bytes.IndexByte(source, 0) >= 0:
		return issueBinary
	}
	return ""
}

func mayMatch(rules []rule, source []byte) []rule {
	var left []rule
	for _, r := range rules {
		if r.pattern.MayMatch(source) {
			left = append(left, r)
		}
	}
	return left
}

func (s *scanner) parse(ctx context.Context, lang *syntax.Language, source []byte, holes []syntax.Hole) (*syntax.Tree, error) {
	parser := s.parsers[lang]
	if parser == nil {
		var err error
		if parser, err = syntax.NewParser(lang); err != nil {
			return nil, err
		}
		if s.rules.shortcuts.noArena {
			parser.WithoutArena()
		}
		s.parsers[lang] = parser
	}
	return parser.ParseAround(ctx, source, holes, s.rules.parseTime(len(source)))
}

// found is one match of one rule.
type found struct {
	rule  *rule
	match match.Match
	span  text.Span
}

// find matches the rules; sure is false where the holes leave a doubt or ctx ends.
func (s *scanner) find(ctx context.Context, tree *syntax.Tree, rules []rule, holes []syntax.Hole) (all []found, sure bool) {
	for i := range rules {
		matches, sure := rules[i].pattern.FindAround(ctx, tree, holes)
		if !sure {
			return nil, false
		}
		all = slices.Grow(all, len(matches))
		for _, m := range matches {
			n := &tree.Nodes[m.Node]
			all = append(all, found{&rules[i], m, text.Span{Start: int(n.Start), End: int(n.End)}})
		}
	}
	return all, true
}

// edit keeps the outermost matches; nil where there is none.
func (s *scanner) edit(file candidate, tree *syntax.Tree, all []found) (*FileEdit, error) {
	kept, skipped := outermost(all)
	if len(kept) == 0 {
		return nil, nil
	}
	edit := &FileEdit{Path: file.path, Display: file.display, Old: tree.Source, Skipped: skipped}
	return edit, edit.addChanges(tree, kept)
}

// outermost walks the matches by position and drops each that overlaps one
// before it: of nested matches the outer one stays, of two rules that match the
// same node the first. It also returns how many were dropped.
func outermost(all []found) (kept []found, skipped int) {
	slices.SortStableFunc(all, func(a, b found) int {
		if a.span.Start != b.span.Start {
			return a.span.Start - b.span.Start
		}
		return b.span.End - a.span.End // rules are in order already, and the sort is stable
	})
	kept = all[:0] // what is kept never gets ahead of what is read
	for _, f := range all {
		if len(kept) > 0 && overlaps(kept[len(kept)-1].span, f.span) {
			skipped++
			continue
		}
		kept = append(kept, f)
	}
	return kept, skipped
}

// overlaps: b starts no earlier than a. Two empty spans at one place overlap.
func overlaps(a, b text.Span) bool { return b.Start < a.End || a == b }
