// Package customtools finds, loads and runs tools that are not built in.
//
// A discovered tool is a TypeScript or JavaScript module: [Discover] lists the
// modules in the order of their sources, a [Loader] has a [Runtime] evaluate
// them and checks what they give, and a [Registry] holds the tools by name and
// calls them, with the arguments validated before and the result made whole
// after. A Go program can put tools of its own into the same registry.
//
// Tools are trusted code. What a workspace brings itself is project-level, by
// real path, and is evaluated only where a [Trust] says so.
//
// The package knows package resolve, whose result type and pending actions it
// shares. It knows nothing of editors or JSON-RPC, and no JavaScript engine:
// those are behind [Host] and [Runtime].
package customtools
