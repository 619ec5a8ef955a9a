package match_test

// explained lists the cases in which the oracle and we are meant to differ.
// A case that is listed and does not differ fails.
func explained() map[string]string {
	const (
		tabs     = "16b B1: tabs of an indentation stay tabs"
		crlf     = "16b B2: new line breaks take the file's line ending"
		statList = "the oracle's newer Go grammar has a statement_list in each block"

		// Text that the grammars have in no node: the oracle takes any for any, so that
		// a rule for one string edits others. We compare it (Language.TextKinds).
		hidden = "the characters belong to no node of the grammar, and only we compare them"

		content = "line breaks inside a string are content, which does not move with the code; the oracle moves it"

		precedence  = "the Scala grammar of ABI 14 reads infix operators from left to right; the oracle's newer one knows their precedence"
		pureVirtual = "the older C++ grammar reads `int x = 0;` in a class as a pure virtual function"
		phpOnly     = "the oracle reads PHP with a grammar that has no text outside of <?php ?>"
	)
	return map[string]string{
		"go/if_init":                 tabs,
		"go/method":                  tabs,
		"go/struct":                  tabs,
		"go/interface":               tabs,
		"go/binary_operator":         statList,
		"typescript/crlf_multi_line": crlf,
		"typescript/tab_indent":      tabs,
		"typescript/tab_capture":     tabs,

		"bash/heredoc_differs":       hidden,
		"css/color_differs":          hidden,
		"css/number_differs":         hidden,
		"kotlin/char_differs":        hidden,
		"kotlin/string":              hidden + ": here the quotes",
		"kotlin/string_differs":      hidden + ": here the closing quote",
		"lua/string_escape":          hidden,
		"markdown/code_differs":      hidden,
		"markdown/heading_code":      hidden,
		"markdown/heading_differs":   hidden,
		"markdown/paragraph_differs": hidden,
		"python/string_sort_4":       hidden,
		"scala/interpolated_differs": hidden,
		"yaml/block_other":           hidden,
		"yaml/escape_other":          hidden,
		"yaml/single_other":          hidden,
		"yaml/string_other":          hidden,

		"elixir/module":  content,
		"kotlin/suspend": content,

		"cpp/class_selector": pureVirtual,
		"php/if_only":        phpOnly,
		"scala/binary":       precedence,
		"scala/infix":        precedence,
		"scala/or":           precedence,
	}
}
