package syntax

import (
	"strings"
	"unicode"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/bash"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/css"
	"github.com/smacker/go-tree-sitter/cue"
	"github.com/smacker/go-tree-sitter/dockerfile"
	"github.com/smacker/go-tree-sitter/elixir"
	"github.com/smacker/go-tree-sitter/elm"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/groovy"
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/kotlin"
	markdown "github.com/smacker/go-tree-sitter/markdown/tree-sitter-markdown"
	"github.com/smacker/go-tree-sitter/ocaml"
	"github.com/smacker/go-tree-sitter/php"
	"github.com/smacker/go-tree-sitter/protobuf"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/ruby"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/sql"
	"github.com/smacker/go-tree-sitter/svelte"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/toml"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
	"github.com/smacker/go-tree-sitter/yaml"
	lua "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"
	haskell "github.com/tree-sitter/tree-sitter-haskell/bindings/go"
	json "github.com/tree-sitter/tree-sitter-json/bindings/go"
	scala "github.com/tree-sitter/tree-sitter-scala/bindings/go"
)

// Characters that stand for `$` in patterns: identifier characters of the
// grammar that real code hardly uses.
const (
	noExpando         = '$'
	microExpando      = 'µ'
	cExpando          = '𐀀'
	underscoreExpando = '_'
	letterExpando     = 'z'
)

// table lists the languages in the order of the specification's table
// (ast_edit.md 6.2): where two share an extension, the first has it.
//
// Most grammars come with smacker's bindings. What those lack, and Lua and Scala,
// which they have too old, come from the grammars' own; of these only such versions
// serve as the linked runtime loads (ABI 13 and 14), and none may link the official
// runtime beside it.
func table() []*Language {
	return []*Language{
		newLanguage("bash", bash.GetLanguage(), noExpando, words("bash sh zsh ksh bats"), words("bash bats cgi command env fcgi ksh sh tmux tool zsh")).
			withText("heredoc_body"),
		newLanguage("c", c.GetLanguage(), cExpando, words("c h"), words("c h")).
			spelledFreely(isDirective),
		newLanguage("cpp", cpp.GetLanguage(), cExpando, words("cpp c++ cc cxx hh hpp cu ino"), words("cc hpp cpp c++ hh cxx cu ino")).
			spelledFreely(isDirective),
		newLanguage("csharp", csharp.GetLanguage(), microExpando, words("csharp c# cs"), words("cs")).
			spelledFreely(isDirective),
		newLanguage("cue", cue.GetLanguage(), microExpando, words("cue"), words("cue")).
			withText("string"),
		newLanguage("css", css.GetLanguage(), underscoreExpando, words("css"), words("css scss")).
			withText("string_value", "color_value", "integer_value", "float_value"),
		newLanguage("dockerfile", dockerfile.GetLanguage(), microExpando, words("dockerfile docker containerfile"), words("dockerfile")).
			withText("double_quoted_string", "single_quoted_string", "unquoted_string", "json_string", "image_name", "image_tag", "image_digest",
				"path", "param", "expose_port", "stopsignal_instruction", "heredoc_block").spelledFreely(isKeyword),
		newLanguage("elixir", elixir.GetLanguage(), microExpando, words("elixir ex exs"), words("ex exs")),
		newLanguage("elm", elm.GetLanguage(), microExpando, words("elm"), words("elm")).
			withText("block_comment"),
		newLanguage("go", golang.GetLanguage(), microExpando, words("go golang"), words("go")).
			withText("interpreted_string_literal").withoutLineBreaks(),
		newLanguage("groovy", groovy.GetLanguage(), noExpando, words("groovy gradle"), words("groovy gradle")),
		newLanguage("haskell", sitter.NewLanguage(haskell.Language()), microExpando, words("haskell hs"), words("hs")),
		newLanguage("hcl", hcl.GetLanguage(), microExpando, words("hcl tf tfvars terraform"), words("hcl tf tfvars")),
		newLanguage("html", html.GetLanguage(), letterExpando, words("html htm xhtml"), words("html htm xhtml")).
			withText("doctype").withLayout(everyKind).spelledFreely(isKeyword),
		newLanguage("java", java.GetLanguage(), noExpando, words("java"), words("java")),
		newLanguage("javascript", javascript.GetLanguage(), noExpando, words("javascript js jsx mjs cjs"), words("cjs js mjs jsx")).
			withLayout("jsx_text"),
		newLanguage("json", sitter.NewLanguage(json.Language()), noExpando, words("json"), words("json")),
		newLanguage("kotlin", kotlin.GetLanguage(), microExpando, words("kotlin kt kts ktm"), words("kt ktm kts")).
			withText("string_literal", "character_literal").withShed("import_header", "package_header").refusing(kotlinTooNested),
		newLanguage("lua", sitter.NewLanguage(lua.Language()), noExpando, words("lua"), words("lua")).
			withText("string_content"),
		newLanguage("markdown", markdown.GetLanguage(), noExpando, words("markdown md mdx"), words("md markdown mdx")).
			withText("inline", "code_fence_content", "indented_code_block", "info_string", "language", "html_block", "pipe_table_cell",
				"link_destination", "link_label", "link_title").withLayout(everyKind).refusing(markdownTooNested),
		newLanguage("ocaml", ocaml.GetLanguage(), underscoreExpando, words("ocaml ml"), words("ml")).
			withText("string_content", "quoted_string"),
		newLanguage("php", php.GetLanguage(), microExpando, words("php"), words("php")).
			withFragmentPrefix("<?php ", "<?").spelledFreely(isKeyword),
		newLanguage("protobuf", protobuf.GetLanguage(), letterExpando, words("protobuf proto"), words("proto")).
			withText("string").withFragmentPrefix(`syntax="proto3"; `, "syntax"),
		newLanguage("python", python.GetLanguage(), microExpando, words("python py py3 pyi"), words("py py3 pyi bzl")).
			withText("string_content", "format_specifier"),
		newLanguage("ruby", ruby.GetLanguage(), microExpando, words("ruby rb rbw gemspec"), words("rb rbw gemspec")).
			spelledFreely(isPercentLiteral),
		newLanguage("rust", rust.GetLanguage(), microExpando, words("rust rs"), words("rs")).
			withText("line_comment", "block_comment"),
		newLanguage("scala", sitter.NewLanguage(scala.Language()), noExpando, words("scala sc sbt"), words("scala sc sbt")).
			withText("string", "interpolated_string", "comment", "block_comment").withShed("case_clause"),
		newLanguage("sql", sql.GetLanguage(), underscoreExpando, words("sql"), words("sql")).
			withText("literal", "function_cost", "function_rows").spelledFreely(isSQLKeyword),
		newLanguage("svelte", svelte.GetLanguage(), noExpando, words("svelte"), words("svelte")).
			withLayout(everyKind),
		newLanguage("swift", swift.GetLanguage(), microExpando, words("swift"), words("swift")),
		newLanguage("toml", toml.GetLanguage(), underscoreExpando, words("toml"), words("toml")).
			withText("string", "quoted_key").withShed("table", "table_array_element"),
		newLanguage("tsx", tsx.GetLanguage(), noExpando, words("tsx"), words("tsx")).
			withLayout("jsx_text"),
		newLanguage("typescript", typescript.GetLanguage(), noExpando, words("typescript ts mts cts"), words("ts cts mts")),
		newLanguage("yaml", yaml.GetLanguage(), noExpando, words("yaml yml"), words("yaml yml")).
			withText("block_scalar", "double_quote_scalar", "single_quote_scalar").withLayout(everyKind),
	}
}

// isKeyword is for languages whose keywords may be in any case.
func isKeyword(kind string, named bool) bool {
	return !named && strings.ContainsFunc(kind, unicode.IsLetter)
}

// isSQLKeyword is for a grammar that names its keywords: keyword_select.
func isSQLKeyword(kind string, _ bool) bool { return strings.HasPrefix(kind, "keyword_") }

// isDirective is for languages that allow blanks after the `#` of a directive.
func isDirective(kind string, named bool) bool { return !named && strings.HasPrefix(kind, "#") }

// isPercentLiteral is for Ruby, where `%w(` may be `%w[`.
func isPercentLiteral(kind string, named bool) bool { return !named && strings.HasPrefix(kind, "%") }

func words(s string) []string { return strings.Fields(s) }
