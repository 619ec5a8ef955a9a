# make build   the server, as bin/xcsh-lsp
# make vsix    the VS Code extension with the server inside, to install
# make vscode  its tests, in a real VS Code
# make demo    the product at work: a dry run over Go's own sources, then one LSP session
# make test    everything; installs what it needs (see .ci/setup)
# make lint    gofmt, go vet, staticcheck
# make soak    a million random steps on one stack, with the race detector
# make bench   speed of the engine beside ast-grep, and of the server
# make fuzz    every fuzz target for a short time (FUZZTIME=10s)
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL: # two cores: the steps would only slow each other, and mix their output
.DEFAULT_GOAL := build

FUZZTIME ?= 10s
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# What the tests run beside the server; .ci/setup puts them there.
export XCSH_AST_GREP := $(CURDIR)/.cache/bin/ast-grep
export XCSH_TEST_BUN := $(CURDIR)/.cache/bin/bun
export XCSH_NPM := $(CURDIR)/.cache/npm/node_modules
NEOVIMS := $(CURDIR)/.cache/neovim-0.7.2/nvim:$(CURDIR)/.cache/neovim-0.10/nvim:$(CURDIR)/.cache/neovim-0.12/nvim

# The tree-sitter runtime, where most of the time goes, is some 8 % faster than with
# cgo's own -O2. It is set for everything: two settings would compile each grammar twice.
export CGO_CFLAGS := -O3 -g

.PHONY: build
build:
	go build -o bin/xcsh-lsp ./cmd/xcsh-lsp

.PHONY: demo
demo: build
	@go run ./internal/demo bin/xcsh-lsp

.PHONY: test
test: setup lint unit race neovim vscode
	@echo "== all tests passed"

.PHONY: setup
setup:
	@echo "== setup"
	@.ci/setup

# ST1005 is off: errors that carry a text of the specification are whole sentences.
.PHONY: lint
lint:
	@echo "== lint: gofmt, go vet, staticcheck"
	@unformatted=$$(find . \( -name '.?*' -o -name node_modules -o -name testdata \) -prune -o -name '*.go' -exec gofmt -l {} +); \
	if [ -n "$$unformatted" ]; then echo "gofmt -w these:" $$unformatted >&2; exit 1; fi
	@go vet ./...
	@go run $(STATICCHECK) -checks inherit,-ST1005 ./...

.PHONY: unit
unit:
	@echo "== test"
	@go test ./...

# Without the comparisons with ast-grep: they take long and have no concurrency.
.PHONY: race
race:
	@echo "== test with the race detector"
	@env -u XCSH_AST_GREP go test -race -short ./...

# A million random steps on one stack; `make test` takes some thousands.
.PHONY: soak
soak:
	go test -race -count=1 -v -run '^TestManyConnections' -timeout 30m ./resolve -steps 1000000

# In a real editor. Not cached: go test does not see that the server changed.
.PHONY: neovim
neovim:
	@echo "== test in Neovim"
	@XCSH_NVIM="$(NEOVIMS)" go test -count=1 -v ./internal/neovimtest

.PHONY: vsix
vsix:
	@.ci/vsix

# In the extension host first, then by driving the window. Pictures of a run go to
# PICTURES, where that is set.
.PHONY: vscode
vscode:
	@echo "== test in VS Code"
	@command -v chromium >/dev/null || { echo "chromium is missing: run make setup" >&2; exit 1; }
	@.ci/vscode .cache/vscode
	@.ci/vsix >/dev/null
	@cd editor-clients/vscode && node esbuild.mjs --tests && \
		node test/run.mjs $(CURDIR)/.cache/vscode/code-server host $(PICTURES) && \
		node test/run.mjs $(CURDIR)/.cache/vscode/code-server window $(PICTURES)

# A dry run takes up to seconds; a request to the server far less than its noise.
.PHONY: bench
bench: setup
	go run ./internal/bench -ast-grep $(XCSH_AST_GREP)
	go run ./internal/bench -ast-grep $(XCSH_AST_GREP) -warm -threads 1
	go run ./internal/bench -breakdown
	go test -run '^$$' -bench . -benchmem -benchtime 3x ./astedit/...
	go test -run '^$$' -bench . -benchmem -benchtime 100x ./lsp/...

.PHONY: fuzz
fuzz:
	@.ci/fuzz $(FUZZTIME)
