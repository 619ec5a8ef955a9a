package main

import (
	"strings"
	"testing"
)

func TestToolsTypes(t *testing.T) {
	s := newShell(t)
	run := s.run("tools", "--types", ".xcsh")
	for _, name := range []string{".xcsh/tsconfig.json", ".xcsh/types/xcsh-tools.d.ts", ".xcsh/types/xcsh-typebox.d.ts"} {
		if !strings.Contains(run.stdout, name+"\n") {
			t.Errorf("printed %q without %s", run.stdout, name)
		}
	}
	s.write(".xcsh/tsconfig.json", "{}")
	s.run("tools", "--types", ".xcsh")
	s.holds(".xcsh/tsconfig.json", "{}")
}
