package resolve

import (
	"cmp"
	"strings"
)

// NoLabel is what people are shown of an action without a label.
const NoLabel = "pending action"

// RenderPlain returns the two lines that tell a person how a resolve came out:
// "<verb>: <summary> [<source>]" and the reason. isError says that it failed.
// The text of the result plays no part.
func RenderPlain(d Details, isError bool) string {
	label := cmp.Or(d.Label, NoLabel)
	reason := strings.TrimSpace(d.Reason)
	if reason == "" {
		reason = "No reason provided"
	}
	source, summary := splitLabel(withoutTabs(label))
	header := verb(d.Action, isError) + ": " + summary
	if source != "" {
		header += " [" + source + "]"
	}
	return header + "\n" + withoutTabs(reason)
}

// verb names the outcome. An action that is not known reads as apply, the
// default of the format.
func verb(action Kind, isError bool) string {
	switch {
	case action == Discard:
		return "Discard"
	case isError:
		return "Failed"
	default:
		return "Accept"
	}
}

// splitLabel splits "<source>: <summary>". A label without a source is all
// summary.
func splitLabel(label string) (source, summary string) {
	if i := strings.Index(label, ": "); i > 0 {
		return strings.TrimSpace(label[:i]), strings.TrimSpace(label[i+2:])
	}
	return "", label
}

func withoutTabs(s string) string { return strings.ReplaceAll(s, "\t", " ") }
