package customtools

import (
	"fmt"
	"strings"
	"time"
)

const (
	// maxLogLine is the longest line, in bytes: of a longer entry only the beginning
	// of the message is written. One line must not push out all others.
	maxLogLine    = 1 << 20
	maxCutMessage = 8 << 10

	logTimestamp = "2006-01-02T15:04:05.000Z07:00"
)

// logLine is an entry as it is written: a JSON object and a newline. The context's
// keys stand beside the others; one that would hide another gets a prefix.
func logLine(e LogEntry, at time.Time, pid int) []byte {
	line := &object{[]member{
		{"timestamp", at.Format(logTimestamp)}, {"level", e.Level}, {"pid", pid}, {"message", strings.ToValidUTF8(e.Message, "\uFFFD")},
	}}
	fixed := line.members
	add := func(name string, value any) {
		if line.index(name) >= 0 {
			name = "context." + name
		}
		line.members = append(line.members, member{name, value})
	}
	if e.Path != "" {
		add("module", e.Path)
	}
	if context, err := parseValue(e.Context); err != nil && len(e.Context) > 0 {
		add("context", string(e.Context))
	} else if flat, ok := context.(*object); ok {
		for _, m := range flat.members {
			add(m.name, m.value)
		}
	} else if context != nil {
		add("context", context)
	}
	text, err := encodeValue(line)
	if err != nil || len(text) > maxLogLine {
		message := strings.ToValidUTF8(e.Message[:min(len(e.Message), maxCutMessage)], "\uFFFD")
		cut := &object{[]member{fixed[0], fixed[1], fixed[2], {"message", message}, {"cut", fmt.Sprintf("a line of %d bytes", len(text))}}}
		text, _ = encodeValue(cut) // strings and a number are always written
	}
	return append(text, '\n')
}
