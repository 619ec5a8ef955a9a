package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"go.uber.org/zap"
)

// command is one command of workspace/executeCommand.
type command struct {
	name string
	run  func(*Server, context.Context, commandCall) (any, error)
}

// Names of the commands that code actions offer.
const commandResolve = "xcsh.resolve"

// commandTable lists the commands; what the server advertises is made from it.
func commandTable() []command {
	return []command{
		{"xcsh.ast_edit", (*Server).astEdit},
		{commandResolve, (*Server).resolve},
		{"xcsh.pending.list", (*Server).pendingList},
		{"xcsh.pending.preview", (*Server).pendingPreview},
		{"xcsh.pending.await", (*Server).pendingAwait},
		{"xcsh.tools.list", (*Server).toolsList},
		{"xcsh.tools.call", (*Server).toolsCall},
		{"xcsh.tools.reload", (*Server).toolsReload},
		{"xcsh.session.event", (*Server).sessionEvent},
		{"xcsh.toolChoice.next", (*Server).toolChoiceNext},
		{"xcsh.toolChoice.report", (*Server).toolChoiceReport},
		{"xcsh.standing.set", (*Server).standingSet},
		{"xcsh.decisions.list", (*Server).decisionsList},
		{"xcsh.decisions.revert", (*Server).decisionsRevert},
		{"xcsh.cancel", (*Server).cancelCommand},
	}
}

func commandNames() []string {
	var names []string
	for _, c := range commandTable() {
		names = append(names, c.name)
	}
	return names
}

// commandCall is one call of a command.
type commandCall struct {
	argument    json.RawMessage // the one JSON object, or nil
	token       json.RawMessage // workDoneToken, or nil
	formAnswers []formAnswer
	cancel      context.CancelFunc // cancels the command
}

type executeParams struct {
	Command       string            `json:"command"`
	Arguments     []json.RawMessage `json:"arguments,omitzero"`
	WorkDoneToken json.RawMessage   `json:"workDoneToken,omitzero"`
	FormAnswers   []formAnswer      `json:"formAnswers,omitzero"`
	FormFields    []formField       `json:"formFields,omitzero"`
}

// executeCommand is read raw: the library's type drops the answers of a form.
func (s *Server) executeCommand(ctx context.Context, raw json.RawMessage) (any, error) {
	var p executeParams
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, invalidParams("workspace/executeCommand", err)
	}
	for _, c := range commandTable() {
		if c.name != p.Command {
			continue
		}
		call := commandCall{token: p.WorkDoneToken, formAnswers: p.FormAnswers}
		if len(p.Arguments) == 1 {
			call.argument = p.Arguments[0]
		}
		if len(p.Arguments) > 1 {
			return nil, rpcError(ctx, argumentErrorf("%s takes one argument, not %d", p.Command, len(p.Arguments)))
		}
		return s.run(ctx, c, call)
	}
	return nil, rpcError(ctx, argumentErrorf("unknown command %q; this server knows %s", p.Command, strings.Join(commandNames(), ", ")))
}

// run runs a command so that its token can cancel it.
func (s *Server) run(ctx context.Context, c command, call commandCall) (any, error) {
	if string(call.token) == "null" {
		call.token = nil
	}
	ctx, call.cancel = context.WithCancel(ctx)
	defer call.cancel()
	defer s.running.start(call.token, call.cancel)()
	result, err := c.run(s, ctx, call)
	if err != nil {
		s.log.Info("command failed", zap.String("command", c.name), zap.Error(err))
		return nil, rpcError(ctx, err)
	}
	raw, err := json.Marshal(result)
	return json.RawMessage(raw), err
}

// decodeArgument reads a command's argument into target, a pointer to a struct,
// and refuses what the struct does not have. required names fields that must be
// there.
func decodeArgument(call commandCall, target any, required ...string) error {
	if err := checkArgument(call, required...); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(call.argument))
	decoder.DisallowUnknownFields()
	decoder.UseNumber() // values that are passed on keep their digits
	return describeDecodeError(decoder.Decode(target), target)
}

// checkArgument refuses an argument that is no object with the required fields.
func checkArgument(call commandCall, required ...string) error {
	if len(call.argument) == 0 {
		return argumentErrorf("the argument is missing: pass one JSON object")
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(call.argument, &object); err != nil || object == nil {
		return argumentErrorf("the argument must be a JSON object")
	}
	for _, field := range required {
		if _, ok := object[field]; !ok {
			return argumentErrorf("%s is missing", field)
		}
	}
	return nil
}

// describeDecodeError names the field in the words of whoever wrote the argument.
func describeDecodeError(err error, target any) error {
	var wrongType *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrongType):
		name, wanted := fieldName(wrongType.Field), wrongType.Type.Kind()
		if isList(reflect.TypeOf(target).Elem(), name) && wanted != reflect.Slice {
			name = "each of " + name
		}
		return argumentErrorf("%s must be %s, not %s", name, describeType(wanted), wrongType.Value)
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return argumentErrorf("unknown field %s", name)
	}
	return argumentErrorf("%v", err)
}

// fieldName leaves out the names of embedded structs, which are no fields to a
// caller: JSON fields begin in lower case here.
func fieldName(path string) string {
	parts := strings.Split(path, ".")
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part != strings.ToLower(part[:1])+part[1:] }), ".")
}

// isList reports whether a struct's field with this name in JSON is a list.
func isList(t reflect.Type, name string) bool {
	return slices.ContainsFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return tag == name && f.Type.Kind() == reflect.Slice
	})
}

func describeType(kind reflect.Kind) string {
	switch kind {
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
