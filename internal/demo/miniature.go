package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
)

// The files that the miniature copies: the first is open in the editor, the
// others are only on disk.
func copiedFiles() []string {
	return []string{"strings/example_test.go", "net/smtp/smtp_test.go", "net/textproto/reader_test.go"}
}

// unsavedLine stands for work in progress: it is in the editor and not on disk.
const unsavedLine = `var _ = "😀" + strings.Replace("a-b", "-", "+", -1)` + "\n"

// miniature goes through the loop as an editor does: initialize, dry run, code
// action, reason, apply.
func miniature(ctx context.Context, program, state, source, workspace string) error {
	title("The same as an editor's session, in miniature")
	for _, name := range copiedFiles() {
		content, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return err
		}
		target := filepath.Join(workspace, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, content, 0o644); err != nil {
			return err
		}
	}
	ed, err := startEditor(ctx, program, state, workspace)
	if err != nil {
		return err
	}
	err = session(ctx, ed, workspace)
	if closeErr := ed.close(ctx); err == nil {
		err = closeErr
	}
	return err
}

func session(ctx context.Context, ed *editor, workspace string) error {
	open := filepath.Join(workspace, copiedFiles()[0])
	content, err := os.ReadFile(open)
	if err != nil {
		return err
	}
	step("initialize", "the server speaks %s", ed.encodingName)
	if err := ed.open(ctx, open, string(content)+unsavedLine); err != nil {
		return err
	}
	step("open", "%s, with an unsaved line; the other %d files are not open", copiedFiles()[0], len(copiedFiles())-1)

	var proposed struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	request := map[string]any{"ops": []map[string]string{{"pat": pattern, "out": replacement}}, "sel": selector}
	if err := ed.command(ctx, "xcsh.ast_edit", request, &proposed); err != nil {
		return err
	}
	step("dry run", "xcsh.ast_edit previews, the unsaved line included:\n\n%s\n", proposed.Content[0].Text)

	diagnostics, err := ed.waitDiagnostics(ctx, open)
	if err != nil {
		return err
	}
	for _, d := range diagnostics {
		step("diagnostic", "line %d, column %d: %s", d.Range.Start.Line+1, d.Range.Start.Character+1, d.Message)
	}
	action, err := ed.firstAction(ctx, open, diagnostics[len(diagnostics)-1].Range)
	if err != nil {
		return err
	}
	step("code action", "%s", action.Title)
	var outcome json.RawMessage
	if err := ed.execute(ctx, action.Command, &outcome); err != nil {
		return err
	}
	return report(ctx, ed, open, workspace)
}

// report shows what the apply left behind.
func report(ctx context.Context, ed *editor, open, workspace string) error {
	lines := strings.Split(strings.TrimRight(ed.text(open), "\n"), "\n")
	step("editor", "the last line, still unsaved, is now: %s", lines[len(lines)-1])
	for _, name := range copiedFiles()[1:] {
		content, err := os.ReadFile(filepath.Join(workspace, name))
		if err != nil {
			return err
		}
		step("disk", "%s: strings.ReplaceAll in %d places", name, strings.Count(string(content), "strings.ReplaceAll("))
	}
	var log struct {
		Decisions []struct {
			Action     string `json:"action"`
			Label      string `json:"label"`
			Reason     string `json:"reason"`
			ReasonFrom string `json:"reasonFrom"`
		} `json:"decisions"`
	}
	if err := ed.command(ctx, "xcsh.decisions.list", map[string]any{}, &log); err != nil {
		return err
	}
	for _, d := range log.Decisions {
		step("decision log", "%s %q, because: %s (%s)", d.Action, d.Label, d.Reason, d.ReasonFrom)
	}
	return nil
}

func step(name, format string, args ...any) {
	fmt.Printf("%-13s %s\n", name, fmt.Sprintf(format, args...))
}

// answerReason is the human of the miniature.
func answerReason(prompt string) string {
	answer := "ReplaceAll says what is meant"
	step("reason asked", "%s", prompt)
	step("human types", "%s", answer)
	return answer
}

func showMessage(p *protocol.ShowMessageParams) {
	step("message", "%s", strings.ReplaceAll(p.Message, "\n", "\n"+strings.Repeat(" ", 14)))
}
