package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/contentstore"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
)

// Settings are the settings of protocol.md section 2 with their defaults filled in.
type Settings struct {
	Trusted           string // "true", "false" or "ask"
	CustomTools       bool
	CustomToolPaths   []string
	CustomToolRuntime string
	// CustomToolEditor is the editor's own Electron program, which can run tools.
	CustomToolEditor   string
	DisabledProviders  []string // ids of sources of tools
	DisabledExtensions []string // "tool:<key>"
	ResolveBy          string
	ApplyReasons       []string
	DiscardReasons     []string
	PreviewDiagnostics string
	PreviewCodeLens    bool
	PreviewAnnotations bool
	ApplyUnopened      string
	ApplySave          bool
	MaxFiles           int
	CacheMB            int
	DecisionLog        bool
	StoreMB            int
}

// storeBytes is the limit of what reverts need, in bytes.
func (s Settings) storeBytes() int64 { return int64(s.StoreMB) << 20 }

// Values of settings that are one of a few words.
const (
	diagnosticsInformation = "information"
	diagnosticsHint        = "hint"
	diagnosticsOff         = "off"
	unopenedDisk           = "disk"
	unopenedClient         = "client"
)

func defaultSettings() Settings {
	return Settings{
		Trusted: "ask", CustomTools: true, CustomToolRuntime: "auto", ResolveBy: session.ByEither,
		ApplyReasons:       []string{"Reviewed: the change is right", "Tests pass with it"},
		DiscardReasons:     []string{"Not the change I want", "Not now"},
		PreviewDiagnostics: diagnosticsInformation, PreviewCodeLens: true,
		ApplyUnopened: unopenedDisk, ApplySave: true, MaxFiles: astedit.DefaultMaxFiles, CacheMB: 512, DecisionLog: true, StoreMB: contentstore.DefaultMB,
	}
}

// settingReader reads values into settings and collects what is wrong with them.
type settingReader struct {
	settings Settings
	wrong    []string // for the user: keys with a value of the wrong type
	unknown  []string // for the log
}

// readSettings reads one settings object, nested or with dotted keys, over the
// defaults. getenv gives environment variables, which win over settings.
func readSettings(raw json.RawMessage, getenv func(string) string) settingReader {
	r := settingReader{settings: defaultSettings()}
	object := r.object(raw)
	if section, ok := object["xcsh"]; ok {
		object = r.object(section)
	}
	for key, value := range flatten("", object, map[string]json.RawMessage{}) {
		r.read(strings.TrimPrefix(key, "xcsh."), value)
	}
	slices.Sort(r.wrong)
	slices.Sort(r.unknown)
	if n, ok := astedit.MaxFilesFromEnv(getenv); ok {
		r.settings.MaxFiles = n
	}
	return r
}

// object reads a JSON object; nothing and null are an empty one.
func (r *settingReader) object(raw json.RawMessage) (object map[string]json.RawMessage) {
	if len(raw) > 0 && json.Unmarshal(raw, &object) != nil {
		r.wrong = append(r.wrong, "xcsh must be an object; the defaults are used")
	}
	return object
}

// flatten turns nested objects into dotted keys. The values of keys that are
// settings themselves are left whole.
func flatten(prefix string, object, into map[string]json.RawMessage) map[string]json.RawMessage {
	for key, value := range object {
		full := prefix + key
		var nested map[string]json.RawMessage
		if strings.TrimPrefix(full, "xcsh.") != "resolve.reasons" && json.Unmarshal(value, &nested) == nil && nested != nil {
			flatten(full+".", nested, into)
			continue
		}
		into[full] = value
	}
	return into
}

func (r *settingReader) read(key string, value json.RawMessage) {
	s := &r.settings
	switch key {
	case "trusted":
		r.trusted(value)
	case "customTools.enabled":
		r.into(key, value, &s.CustomTools, "true or false")
	case "customTools.paths":
		r.into(key, value, &s.CustomToolPaths, "a list of paths")
	case "customTools.runtime":
		r.into(key, value, &s.CustomToolRuntime, "a path or \"auto\"")
	case "customTools.editorRuntime":
		r.into(key, value, &s.CustomToolEditor, "a path")
	case "customTools.disabledProviders":
		r.into(key, value, &s.DisabledProviders, "a list of sources")
	case "customTools.disabledExtensions":
		r.into(key, value, &s.DisabledExtensions, "a list of \"tool:NAME\"")
	case "resolve.by":
		r.word(key, value, &s.ResolveBy, session.ByHuman, session.ByAgent, session.ByEither)
	case "resolve.reasons":
		r.reasons(key, value)
	case "preview.diagnostics":
		r.word(key, value, &s.PreviewDiagnostics, diagnosticsInformation, diagnosticsHint, diagnosticsOff)
	case "preview.codeLens":
		r.into(key, value, &s.PreviewCodeLens, "true or false")
	case "preview.annotations":
		r.into(key, value, &s.PreviewAnnotations, "true or false")
	case "apply.unopened":
		r.word(key, value, &s.ApplyUnopened, unopenedDisk, unopenedClient)
	case "apply.save":
		r.into(key, value, &s.ApplySave, "true or false")
	case "astEdit.maxFiles":
		r.count(key, value, &s.MaxFiles, 1)
	case "astEdit.cacheMB":
		r.count(key, value, &s.CacheMB, 0)
	case "decisions.log":
		r.into(key, value, &s.DecisionLog, "true or false")
	case "decisions.storeMB":
		r.count(key, value, &s.StoreMB, 0)
	default:
		r.unknown = append(r.unknown, key)
	}
}

// into decodes value into a setting, which keeps its default where the type is wrong.
func (r *settingReader) into(key string, value json.RawMessage, target any, wanted string) bool {
	if string(value) == "null" {
		return true
	}
	if err := json.Unmarshal(value, target); err != nil {
		r.wrong = append(r.wrong, fmt.Sprintf("xcsh.%s must be %s; the default is used", key, wanted))
		return false
	}
	return true
}

func (r *settingReader) word(key string, value json.RawMessage, target *string, allowed ...string) {
	wanted := "one of " + strings.Join(allowed, ", ")
	word := *target
	if r.into(key, value, &word, wanted) {
		if slices.Contains(allowed, word) {
			*target = word
		} else {
			r.wrong = append(r.wrong, fmt.Sprintf("xcsh.%s must be %s; the default is used", key, wanted))
		}
	}
}

func (r *settingReader) count(key string, value json.RawMessage, target *int, least int) {
	wanted := fmt.Sprintf("a whole number of at least %d", least)
	n := *target
	if r.into(key, value, &n, wanted) {
		if n >= least {
			*target = n
		} else {
			r.wrong = append(r.wrong, fmt.Sprintf("xcsh.%s must be %s; the default is used", key, wanted))
		}
	}
}

func (r *settingReader) trusted(value json.RawMessage) {
	switch string(value) {
	case "true", "false":
		r.settings.Trusted = string(value)
	case `"ask"`, "null":
		r.settings.Trusted = "ask"
	default:
		r.wrong = append(r.wrong, `xcsh.trusted must be true, false or "ask"; the default is used`)
	}
}

func (r *settingReader) reasons(key string, value json.RawMessage) {
	var given struct {
		Apply   []string `json:"apply"`
		Discard []string `json:"discard"`
	}
	if !r.into(key, value, &given, "{ apply: [texts], discard: [texts] }") {
		return
	}
	if len(given.Apply) > 0 {
		r.settings.ApplyReasons = given.Apply
	}
	if len(given.Discard) > 0 {
		r.settings.DiscardReasons = given.Discard
	}
}
