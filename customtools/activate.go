package customtools

import (
	"slices"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// UnknownToolWarning is logged for a name of --tools that is no built-in tool,
// with the name and the valid ones.
const UnknownToolWarning = "Unknown tool passed to --tools"

// ParseToolNames reads the value of --tools. It knows the built-in tools only;
// unknown are the other names.
func ParseToolNames(list string, builtIns []string) (names, unknown []string) {
	names = []string{} // an empty list is not no list
	for name := range strings.SplitSeq(list, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case name == "":
		case slices.Contains(builtIns, name):
			names = append(names, name)
		default:
			unknown = append(unknown, name)
		}
	}
	return names, unknown
}

// ActiveTools returns the tools that are active when a session begins. requested
// chooses among the built-ins, nil for all that are not hidden; a custom tool
// is always active, a hidden one where it is requested. The resolve tool is
// last, where any of them, active or not, may stage something.
func ActiveTools(builtIns, custom []resolve.Definition, requested []string, planMode bool) []resolve.Definition {
	isResolve := func(d resolve.Definition) bool { return d.Name == resolve.ToolName }
	active := slices.DeleteFunc(resolve.SelectTools(builtIns, requested, false), isResolve)
	for _, d := range custom {
		if !d.Hidden || slices.ContainsFunc(requested, func(name string) bool { return strings.EqualFold(name, d.Name) }) {
			active = append(active, d)
		}
	}
	mayStage := planMode || slices.ContainsFunc(custom, func(d resolve.Definition) bool { return d.Deferrable })
	return resolve.IncludeResolve(active, mayStage)
}
