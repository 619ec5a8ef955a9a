package resolve_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func TestStatement01_SchemaRequiresActionAndReason(t *testing.T) {
	var schema struct {
		Type       string
		Required   []string
		Properties struct {
			Action struct{ AnyOf []struct{ Const string } }
			Reason struct{ Type string }
			Extra  struct{ Type string }
		}
		AdditionalProperties *bool
	}
	if err := json.Unmarshal(resolve.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	if want := []string{"action", "reason"}; !reflect.DeepEqual(schema.Required, want) {
		t.Errorf("required = %q, want %q", schema.Required, want)
	}
	action := schema.Properties.Action.AnyOf
	if len(action) != 2 || action[0].Const != "apply" || action[1].Const != "discard" {
		t.Errorf("action = %+v, want the union of apply and discard", action)
	}
	if schema.Type != "object" || schema.Properties.Reason.Type != "string" || schema.Properties.Extra.Type != "object" {
		t.Errorf("types wrong: %s", resolve.Schema())
	}
	if schema.AdditionalProperties == nil || *schema.AdditionalProperties {
		t.Error("a strict tool allows additional properties")
	}
}

func TestStatement02_UnknownActionFailsBeforeAnyInvoker(t *testing.T) {
	if _, err := resolve.ParseParams([]byte(`{"action":"commit","reason":"x"}`)); fieldOf(err) != "action" {
		t.Errorf("ParseParams: %v, want an error of the field action", err)
	}
	s := newSession(t)
	id := s.stage("L", "s", resolve.Result{})
	p := resolve.Params{Action: "commit", Reason: "x"}
	guard := func(*resolve.Action) error { t.Error("guard called"); return nil }
	_, execErr := s.tool.Execute(context.Background(), p)
	_, dispatchErr := s.tool.Dispatch(context.Background(), p, guard)
	if fieldOf(execErr) != "action" || fieldOf(dispatchErr) != "action" {
		t.Errorf("Execute: %v, Dispatch: %v, want errors of the field action", execErr, dispatchErr)
	}
	if len(s.applied) != 0 {
		t.Error("the action was invoked")
	}
	s.wantPending(id)
}

func TestStatement03_ReasonIsRequiredButMayBeEmpty(t *testing.T) {
	if _, err := resolve.ParseParams([]byte(`{"action":"apply"}`)); fieldOf(err) != "reason" {
		t.Errorf("no reason: %v, want an error of the field reason", err)
	}
	p, err := resolve.ParseParams([]byte(`{"action":"apply","reason":""}`))
	if err != nil || p.Action != resolve.Apply || p.Reason != "" || p.Extra != nil {
		t.Errorf("empty reason: %+v, %v", p, err)
	}
}

func TestParseParamsRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ input, field, text string }{
		"unknown field":       {`{"action":"apply","reason":"r","why":1}`, "why", `field "why" is not known`},
		"other case":          {`{"Action":"apply","reason":"r"}`, "Action", `field "Action" is not known`},
		"no action":           {`{"reason":"r"}`, "action", `field "action" is required`},
		"action twice":        {`{"action":"discard","action":"apply","reason":"r"}`, "action", `field "action" is given twice`},
		"action not a string": {`{"action":1,"reason":"r"}`, "action", `field "action" must be a string`},
		"reason null":         {`{"action":"apply","reason":null}`, "reason", `field "reason" must be a string`},
		"extra array":         {`{"action":"apply","reason":"r","extra":[]}`, "extra", `field "extra" must be an object`},
		"extra null":          {`{"action":"apply","reason":"r","extra": null }`, "extra", `field "extra" must be an object`},
		"empty":               {``, "", "the argument must be a JSON object"},
		"array":               {`[]`, "", "the argument must be a JSON object"},
		"two objects":         {`{"action":"apply","reason":"r"}{}`, "", "the argument must be one JSON object and nothing after it"},
		"cut in a value":      {`{"action":"apply","reason":"r`, "reason", `field "reason" is not valid JSON: `},
		"cut after a value":   {`{"action":"apply","reason":"r"`, "", "the argument is not valid JSON: "},
		"key without quotes":  {`{action:"apply"}`, "", "the argument is not valid JSON: "},
		"unknown action":      {`{"action":"commit","reason":"r"}`, "action", `field "action" must be "apply" or "discard", not "commit"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := resolve.ParseParams([]byte(tc.input))
			var paramErr *resolve.ParamError
			if !errors.As(err, &paramErr) || paramErr.Field != tc.field || !strings.HasPrefix(err.Error(), tc.text) {
				t.Errorf("error %q, want %q of the field %q", err, tc.text, tc.field)
			}
		})
	}
}

func TestParseParamsPassesExtraUntouched(t *testing.T) {
	const extra = `{"n":9007199254740993,"x":1.50,"deep":{"list":[null,true,"a"]}}`
	p, err := resolve.ParseParams([]byte(`{"extra":` + extra + `,"reason":"r","action":"discard"}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(p.Extra)
	if want := `{"deep":{"list":[null,true,"a"]},"n":9007199254740993,"x":1.50}`; err != nil || string(got) != want {
		t.Errorf("extra %s, %v, want %s", got, err, want)
	}
	if p, err := resolve.ParseParams([]byte(`{"action":"apply","reason":"r","extra":{}}`)); err != nil || p.Extra == nil {
		t.Errorf("empty extra: %+v, %v, want it kept", p, err)
	}
}

func TestActivityText(t *testing.T) {
	for _, tc := range []struct {
		action       resolve.Kind
		reason, want string
	}{
		{resolve.Apply, "looks right", "accepting: looks right"},
		{resolve.Apply, "", "accepting changes"},
		{resolve.Discard, "not now", "discarding: not now"},
		{resolve.Discard, " \n", "discarding changes"},
		{resolve.Apply, "one\r\ntwo\nthree ", "accepting: one two three"},
	} {
		if got := resolve.ActivityText(resolve.Params{Action: tc.action, Reason: tc.reason}); got != tc.want {
			t.Errorf("%s %q: %q, want %q", tc.action, tc.reason, got, tc.want)
		}
	}
}

func fieldOf(err error) string {
	var paramErr *resolve.ParamError
	if !errors.As(err, &paramErr) {
		return "no ParamError"
	}
	return paramErr.Field
}
