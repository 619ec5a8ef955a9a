package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// kindToolError is the kind of a failure that has no more special one.
const kindToolError = "ToolError"

// argumentError says which field of a command's argument is wrong.
type argumentError struct{ message string }

func (e *argumentError) Error() string { return e.message }

func argumentErrorf(format string, args ...any) error {
	return &argumentError{fmt.Sprintf(format, args...)}
}

func toolErrorf(format string, args ...any) error {
	return &resolve.ToolError{Message: fmt.Sprintf(format, args...)}
}

func invalidParams(what string, err error) error {
	return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %v", what, err)
}

// rpcError turns a command's failure into the error that the client gets, whose
// message is the text for the user (protocol.md 3). ctx is the request's. The code
// of an error that a client answered with is of no use to that client.
func rpcError(ctx context.Context, err error) error {
	var wrong *argumentError
	var param *resolve.ParamError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong):
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, wrong.message)
	case errors.As(err, &param):
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, param.Error())
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return jsonrpc2.NewError(protocol.CodeRequestCancelled, "cancelled")
	}
	failed := jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), err.Error())
	if data, marshalErr := json.Marshal(errorData(err)); marshalErr == nil {
		failed.Data = data
	}
	return failed
}

// errorData tells a program what kind of failure it is.
func errorData(err error) map[string]any {
	data := map[string]any{"kind": kindToolError}
	var tool *resolve.ToolError
	if errors.As(err, &tool) {
		maps.Copy(data, tool.Context)
	}
	return data
}
