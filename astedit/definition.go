package astedit

import "encoding/json"

// ToolDescription tells a model what the tool does and how to ask for it.
const ToolDescription = `Find code by its structure and propose to rewrite it. The result is a preview: nothing is written until it is resolved.

- Each op has a pattern (pat) and what replaces each match (out). Both are code of the language searched. In pat, $NAME stands for any one node and $$$NAME for any number of them; in out they stand for what was matched. The same $NAME twice in pat must match the same code twice. An empty out deletes the match.
- path or paths (files, folders, globs) and glob narrow the files down; lang says which language a file is read as where its name does not tell.
- Where a pattern is not valid code on its own, write it within code that is, and name in sel the kind of the node that is meant.
- The preview lists each line that would change. Where it says that a pattern could not be read, change the pattern; a rule that matches nothing changes nothing.`

// Schema returns the JSON Schema of a [Request], its keys in the order in which
// they are to be shown.
func Schema() json.RawMessage {
	return json.RawMessage(`{"type":"object",` +
		`"required":["ops"],` +
		`"properties":{` +
		`"ops":{"type":"array","minItems":1,"description":"the rules",` +
		`"items":{"type":"object","required":["pat","out"],"properties":{` +
		`"pat":{"type":"string","description":"the code to find, with $NAME and $$$NAME for what varies"},` +
		`"out":{"type":"string","description":"what replaces it; empty deletes it"}},"additionalProperties":false}},` +
		`"lang":{"type":"string","description":"the language of every file in scope; by default each file's name tells"},` +
		`"path":{"type":"string","description":"a file, folder or glob, or a list of them; by default the workspace"},` +
		`"paths":{"type":"array","items":{"type":"string"},"description":"the same as a list; not together with path"},` +
		`"glob":{"type":"string","description":"only files whose path within the scope matches"},` +
		`"sel":{"type":"string","description":"the kind of the syntax node in pat that is meant"},` +
		`"limit":{"type":"number","description":"at most so many replacements"}},` +
		`"additionalProperties":false}`)
}
