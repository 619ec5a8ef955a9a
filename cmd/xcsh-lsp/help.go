package main

const programHelp = `xcsh-lsp: safe structural edits that a human decides on

usage:
  xcsh-lsp [serve] [flags]      the language server, over standard input and output
  xcsh-lsp ast-edit [flags] --pat PATTERN --out TEMPLATE [PATH ...]
                                one structural edit from the shell; a dry run, unless
                                --apply --reason TEXT is given
  xcsh-lsp tools [flags]        the tools that would load in the current folder
  xcsh-lsp mcp [flags]          the same tools for an agent, in the session of your editor
  xcsh-lsp version              the version
  xcsh-lsp help [COMMAND]       this help, or that of serve, ast-edit, tools or mcp

exit status: 0 success, 1 the work failed, 2 wrong usage
`

const serveHelp = `usage: xcsh-lsp [serve] [flags]

The language server. It speaks LSP over standard input and output; an editor starts
it. It logs to standard error and to a file.

flags:
  --stdio             accepted, since editors pass it; there is no other way
  --tool PATH         load this custom tool; may be repeated
  --plugin-dir DIR    load the tools of this plugin; may be repeated
  --tools NAMES       of the built-in tools offer only these, separated by commas;
                      custom tools are always offered (built in: ast_edit)
  --no-tools          offer no built-in tool
  --trust             run the tools that the workspace itself brings, without asking
  --log-level LEVEL   debug, info, warn or error (default: info)
  --log-file FILE     default: xcsh-lsp.log in $XDG_STATE_HOME/xcsh-lsp
                      (~/.local/state/xcsh-lsp where that is not set)

exit status: 0 after shutdown and exit, 1 after any other end, 2 wrong usage
`

const toolsHelp = `usage: xcsh-lsp tools [flags]

Lists the tools that a server would have in the current folder, with where each
comes from, and why others do not load. Custom tools are code: they are evaluated to
be listed, but those of the folder itself only where you have trusted it in an
editor, or give --trust.

flags:
  --json              print { tools, errors }, with each tool's JSON Schema
  --types DIR         write the TypeScript declarations for tools into DIR/types, and
                      DIR/tsconfig.json unless there is one; DIR is the folder that
                      holds "tools", such as .xcsh
  --tool PATH         load this custom tool; may be repeated
  --plugin-dir DIR    load the tools of this plugin; may be repeated
  --tools NAMES       of the built-in tools offer only these, separated by commas;
                      custom tools are always offered (built in: ast_edit)
  --no-tools          offer no built-in tool
  --trust             run the tools that the folder itself brings
  --log-level LEVEL   debug, info, warn or error (default: error)
  --log-file FILE     default: as for serve

exit status: 0 also where tools do not load, 1 on a failure, 2 on wrong usage
`

const astEditHelp = `usage: xcsh-lsp ast-edit [flags] --pat PATTERN --out TEMPLATE [PATH ...]

Finds code by its structure and shows what replacing it would change. It writes
nothing, unless --apply --reason TEXT is given; then it writes all of it or, where
anything is wrong, nothing.

PATH is a file, a folder or a glob; the default is the current folder. In folders,
what .gitignore names and node_modules are passed over, and symbolic links are not
followed. A PATH below the current folder that really leads out of it is refused.

PATTERN is code in the language of the files, with placeholders; TEMPLATE is what
takes the place of a match. Put both in single quotes, or the shell replaces the $.
  $NAME     one node; a NAME used twice must be equal code
  $$$NAME   any number of neighbouring nodes
  $_, $$$   the same, not kept

flags:
  --pat PATTERN    code to look for; may be repeated, each with its own --out
  --out TEMPLATE   its replacement; '' deletes what matches
  --sel KIND       replace only the node of this kind in PATTERN; the rest of it is
                   context, for code that does not parse on its own
  --lang LANGUAGE  read every file as this language (default: as its name says)
  --glob GLOB      only files that match; relative to the folder searched, '**' for
                   any depth
  --limit N        stop after N replacements
  --json           print the result as JSON, with every change in details.changes
  --stream         print the changes of each file as soon as they are found, and hold
                   none: for a dry run over very much code
  --apply          write the changes
  --reason TEXT    why; needed by --apply, kept in the decision log

examples:
  xcsh-lsp ast-edit --pat 'foo($A, $B)' --out 'bar($B, $A)' src
  xcsh-lsp ast-edit --pat 'foo($A, $B)' --out 'bar($B, $A)' src \
      --apply --reason 'foo is deprecated'
  xcsh-lsp ast-edit --pat 'console.log($$$);' --out '' --glob '**/*.ts'
  xcsh-lsp ast-edit --sel call_expression --lang go \
      --pat 'func _() { fmt.Println($$$A) }' --out 'log.Println($$$A)'

exit status: 0 with or without replacements, 1 on a failure, 2 on wrong usage
environment: PI_MAX_AST_FILES, the most files that one edit may change (default: 1000;
  with --stream: no cap)
`

const mcpHelp = `usage: xcsh-lsp mcp [flags]

A server of the Model Context Protocol over standard input and output: ast_edit,
pending, resolve while something can be resolved, and the custom tools. Where an
editor has the current folder, or one around it, open with xcsh-lsp, the agent joins
its session: what it proposes is shown there, over text that is not saved yet, and
either may decide, as resolve.by says. Otherwise it works alone on the disk.

flags:
  --name NAME         who proposes (default: agent); the human and the log see it
  --tool PATH, --plugin-dir DIR, --tools NAMES, --no-tools, --trust,
  --log-level LEVEL, --log-file FILE
                      as for serve; the tools' count where the agent is alone

exit status: 0 when the client has gone, 1 on a failure, 2 on wrong usage
`

// helpOf returns the help of a command, and of the program for "".
func helpOf(command string) (text string, ok bool) {
	switch command {
	case "", "help", "version":
		return programHelp, true
	case "serve":
		return serveHelp, true
	case "ast-edit":
		return astEditHelp, true
	case "tools":
		return toolsHelp, true
	case "mcp":
		return mcpHelp, true
	}
	return "", false
}
