package astedit

// LanguageID returns the name of the language that a file is read in by its name,
// "plaintext" where it has none.
func (e *Engine) LanguageID(path string) string {
	if lang, ok := e.registry.ByFileName(path); ok {
		return lang.Name
	}
	return "plaintext"
}
