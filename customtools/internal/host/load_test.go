package host

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/bundle"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// message is the text of a failed load.
func failedLoad(t *testing.T, module string) string {
	t.Helper()
	s := open(t, "-- t.ts --\n"+module)
	_, err := s.tryLoad("t.ts")
	if err == nil {
		t.Fatalf("loads:\n%s", module)
	}
	return err.Error()
}

func TestStatement46And47_NoFactory(t *testing.T) {
	for name, module := range map[string]string{
		"46 named exports only":          "export const tool = () => ({});",
		"47 default export is an object": "export default { name: 'x' };",
		"nothing":                        "",
	} {
		s := open(t, "-- t.ts --\n"+module+"\n")
		if _, err := s.tryLoad("t.ts"); !errors.Is(err, customtools.ErrNoFactory) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestStatement48_CommonJS(t *testing.T) {
	s := open(t, `
-- a.cjs --
module.exports = pi => ({ name: "a", description: "d", parameters: {}, execute() {} });
-- b.js --
exports.default = pi => ({ name: "b", description: "d", parameters: {}, execute() {} });
-- c.js --
Object.defineProperty(exports, "__esModule", { value: true });
exports.default = pi => ({ name: "c", description: "d", parameters: {}, execute() {} });
`)
	for file, name := range map[string]string{"a.cjs": "a", "b.js": "b", "c.js": "c"} {
		if got := s.load(file).Elements(); len(got) != 1 || got[0].Definition.Name != name {
			t.Errorf("%s: got %+v", file, got)
		}
	}
}

func TestStatement49_SyntaxError(t *testing.T) {
	if got := failedLoad(t, "export default (\n"); !strings.Contains(got, "t.ts:2:1: Unexpected end of file") {
		t.Errorf("got %q", got)
	}
}

func TestStatement50_FactoryFails(t *testing.T) {
	for module, want := range map[string]string{
		`export default () => { throw new Error("nope"); };`:        "nope",
		`export default () => Promise.reject("x");`:                 "x",
		`export default async () => { throw new TypeError("t"); };`: "t",
		`throw new Error("top"); export default () => [];`:          "top",
		`export default () => { throw undefined; };`:                "undefined",
		`import "./missing.js"; export default () => [];`:           "missing.js",
		`export default () => { throw Object.create(null); };`:      "a value that is no string was thrown",
	} {
		if got := failedLoad(t, module); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", module, got, want)
		}
	}
}

func TestStatement51_AsyncFactoryWithTwoTools(t *testing.T) {
	s := open(t, `
-- t.ts --
const tool = (name: string) => ({ name, description: "d", parameters: {}, execute: async () => ({ content: [] }) });
export default async () => { await null; return [tool("one"), tool("two")]; };
`)
	got := s.load("t.ts").Elements()
	if len(got) != 2 || got[0].Definition.Name != "one" || got[1].Definition.Name != "two" {
		t.Errorf("got %+v", got)
	}
}

func TestStatement52To54_Shapes(t *testing.T) {
	s := open(t, `
-- t.ts --
const valid = { name: "v", description: "", parameters: undefined, execute() {} };
export default () => [valid, { name: "x" }, null, undefined, 1, { ...valid, name: "" }, { ...valid, description: 1 }];
-- null.ts --
export default () => null;
-- none.ts --
export default () => {};
-- empty.ts --
export default () => [];
`)
	whole := customtools.Shape{HasName: true, HasDescription: true, HasParameters: true, HasExecute: true}
	noName, noDescription := whole, whole
	noName.HasName, noDescription.HasDescription = false, false
	none := customtools.Shape{}
	for file, want := range map[string][]customtools.Shape{
		"t.ts":     {whole, {HasName: true}, none, none, none, noName, noDescription},
		"null.ts":  {none},
		"none.ts":  {none},
		"empty.ts": {},
	} {
		got := s.load(file).Elements()
		if len(got) != len(want) {
			t.Errorf("%s: got %d elements, want %d", file, len(got), len(want))
			continue
		}
		for i := range want {
			if got[i].Shape != want[i] || (got[i].Tool != nil) != (want[i] == whole) {
				t.Errorf("%s, element %d: got %+v, want %+v", file, i, got[i], want[i])
			}
		}
	}
}

func TestStatement58_ProcessExitWhileLoading(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s := openOn(t, rt, `
-- exit.ts --
process.exit(0);
export default () => [];
-- really.ts --
export default () => { (process as any).reallyExit(1); };
-- next.ts --
export default () => ({ name: "n", description: "d", parameters: {}, execute: () => ({ content: [] }) });
`)
		for _, file := range []string{"exit.ts", "really.ts"} {
			if _, err := s.tryLoad(file); err == nil || !strings.Contains(err.Error(), "a tool cannot end its host") {
				t.Errorf("%s: got %v", file, err)
			}
		}
		if got := s.mustCall(s.tool("next.ts"), "{}"); got != `{"content":[]}` {
			t.Errorf("got %s", got)
		}
	})
}

func TestStatement99To102_Imports(t *testing.T) {
	s := open(t, `
-- t.ts --
import { CustomToolFactory } from "@oh-my-pi/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { StringEnum } from "@mariozechner/pi-ai";
import { z } from "./lib/util";
import { z as z2 } from "./lib/util.js";
import { readFileSync } from "node:fs";
import { readFileSync as same } from "fs";
const factory: CustomToolFactory = (pi) => ({
  name: "t", description: [z, z2, readFileSync === same, Type === pi.typebox.Type].join(" "),
  parameters: Type.Object({ e: StringEnum(["x"]) }), execute() {},
});
export default factory;
-- lib/util.ts --
export const z = "z";
`)
	got := s.load("t.ts").Elements()[0].Definition
	if got.Description != "z z true true" || string(got.Parameters) != `{"type":"object","required":["e"],"properties":{"e":{"type":"string","enum":["x"]}}}` {
		t.Errorf("got %+v, parameters %s", got, got.Parameters)
	}
}

func TestDefinition(t *testing.T) {
	s := open(t, `
-- t.ts --
class Tool {
  name = "t"; hidden = true; deferrable = true; strict = true; concurrency = "exclusive"; nonAbortable = true;
  lenientArgValidation = true; mergeCallAndResult = true; loadMode = "lazy";
  static count = 0;
  get description() { return "read " + ++Tool.count; }
  get parameters() { return { type: "object" }; }
  execute() {} onSession() {} renderCall() {} renderResult() {}
}
export default () => [new Tool(), { name: "u", label: "U", description: "d", parameters: 1n, hidden: "yes", execute() {} }];
`)
	got := s.load("t.ts").Elements()
	want := customtools.Definition{
		Definition: resolve.Definition{Name: "t", Hidden: true, Deferrable: true},
		Strict:     true, Concurrency: "exclusive", NonAbortable: true, LenientArgValidation: true,
		MergeCallAndResult: true, HasRenderCall: true, HasRenderResult: true, HasOnSession: true,
	}
	d := got[0].Definition
	first := d.Description
	d.Description, d.Parameters = "", nil
	if !equalJSON(t, d, want) || string(got[0].Definition.Parameters) != `{"type":"object"}` {
		t.Errorf("got %+v, want %+v", got[0].Definition, want)
	}
	if u := got[1].Definition; u.Label != "U" || u.Hidden || string(u.Parameters) != `"1"` {
		t.Errorf("got %+v", u)
	}
	later, err := got[0].Tool.Describe(t.Context())
	if err != nil || later.Description == first {
		t.Errorf("a description that changes: got %q again, %v", later.Description, err)
	}
}

func TestALoadThatTakesTooLong(t *testing.T) {
	s := open(t, "-- loop.ts --\nfor (;;);\nexport default () => [];\n-- wait.ts --\nexport default () => new Promise(() => {});\n-- ok.ts --\n"+factory("return { content: [] };"),
		Limits{Load: 1, Grace: 1})
	for _, file := range []string{"loop.ts", "wait.ts"} {
		if _, err := s.tryLoad(file); err == nil || !strings.Contains(err.Error(), "was not ready within") {
			t.Errorf("%s: got %v", file, err)
		}
	}
}

// Code that is not what was trusted is not evaluated.
func TestLoad_OnlyTheCodeThatWasTrusted(t *testing.T) {
	s := open(t, "-- t.ts --\n"+factory("return { content: [] };"))
	path := filepath.Join(s.dir, "t.ts")
	built, err := bundle.Build(path)
	if err != nil {
		t.Fatal(err)
	}
	spec := customtools.ModuleSpec{Path: path, Cwd: s.dir, Host: s.host, CodeSum: customtools.CodeSum(built.Code)}
	if _, err := s.rt.Load(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	s.write("-- t.ts --\nimport { writeFileSync } from 'fs'; writeFileSync('evil', '');\n" + factory("return { content: [] };"))
	if _, err := s.rt.Load(t.Context(), spec); !errors.Is(err, customtools.ErrCodeChanged) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "evil")); err == nil {
		t.Error("it was evaluated")
	}
}
