package lsptest

import "maps"

type object = map[string]any

// capabilities are the client capabilities that the manners declare.
func (m *Manners) capabilities() object {
	workspaceEdit := object{"documentChanges": m.DocumentChanges}
	if m.ChangeAnnotations {
		workspaceEdit["changeAnnotationSupport"] = object{"groupsOnLabel": true}
	}
	if m.SavesRefactorings {
		workspaceEdit["metadataSupport"] = true
	}
	caps := object{
		"workspace": object{
			"applyEdit": m.ApplyEdit, "workspaceEdit": workspaceEdit, "configuration": m.Configuration,
			"workspaceFolders": true, "executeCommand": object{},
		},
		"textDocument": object{
			"synchronization":    object{"didSave": true},
			"publishDiagnostics": object{"relatedInformation": true},
			"hover":              object{"contentFormat": []string{"markdown", "plaintext"}},
			"codeAction": object{
				"disabledSupport": m.DisabledActions, "isPreferredSupport": true, "dataSupport": true,
				"codeActionLiteralSupport": object{"codeActionKind": object{
					"valueSet": []string{"", "quickfix", "refactor", "refactor.rewrite", "source"},
				}},
			},
		},
		"window": object{"workDoneProgress": m.WorkDoneProgress, "showMessage": object{}},
	}
	if m.RefreshesLenses {
		caps["workspace"].(object)["codeLens"] = object{"refreshSupport": true}
	}
	if len(m.Encodings) > 0 {
		var names []string
		for _, e := range m.Encodings {
			names = append(names, e.String())
		}
		caps["general"] = object{"positionEncodings": names}
	}
	if experimental := m.experimental(); len(experimental) > 0 {
		caps["experimental"] = experimental
	}
	return merge(caps, m.Capabilities)
}

func (m *Manners) experimental() object {
	xcsh := object{}
	for name, on := range map[string]bool{
		"input": m.Input, "quickPick": m.QuickPick, "pendingChanged": m.PendingChanged, "toolUpdate": m.ToolUpdate,
	} {
		if on {
			xcsh[name] = true
		}
	}
	if m.Agent != "" {
		xcsh["agent"] = object{"name": m.Agent}
	}
	experimental := object{}
	if len(xcsh) > 0 {
		experimental["xcsh"] = xcsh
	}
	if m.Forms {
		experimental["interactiveResolve"] = object{"inputTypes": []string{"string"}}
	}
	return experimental
}

// merge returns base with patch over it; neither is changed.
func merge(base, patch object) object {
	out := maps.Clone(base)
	for name, value := range patch {
		inner, isObject := value.(object)
		old, wasObject := out[name].(object)
		switch {
		case value == nil:
			delete(out, name)
		case isObject && wasObject:
			out[name] = merge(old, inner)
		default:
			out[name] = value
		}
	}
	return out
}
