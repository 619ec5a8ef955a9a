package host

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// message is any JSON-RPC message of the process.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *remoteError    `json:"error"`
}

// remoteError is what a tool threw, or why its answer was not taken.
type remoteError struct {
	Message string `json:"message"`
	Data    struct {
		Name  string `json:"name"`
		Stack string `json:"stack"`
	} `json:"data"`
}

func (e *remoteError) Error() string { return e.Message }

// answer is the response to a call: a value, nil for undefined, or an error.
type answer struct {
	value json.RawMessage
	err   error
}

// The beginning of a response with a value as calls.mjs writes it. Such a one
// is taken without being parsed: it may have many megabytes.
const (
	answerID    = `{"jsonrpc":"2.0","id":`
	answerValue = `,"result":{"value":`
)

// fastAnswer reads a line of that form.
func fastAnswer(line []byte) (id int64, value json.RawMessage, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(answerID))
	if !ok {
		return 0, nil, false
	}
	end := bytes.IndexByte(rest, ',')
	if end < 0 {
		return 0, nil, false
	}
	id, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	value, ok = bytes.CutPrefix(rest[end:], []byte(answerValue))
	if err != nil || !ok {
		return 0, nil, false
	}
	value, ok = bytes.CutSuffix(value, []byte("}}"))
	return id, value, ok
}

// readLines calls receive with each line, without its end, in a slice that is
// the callee's own.
func readLines(r *bufio.Reader, receive func(line []byte)) error {
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		line = append(line, piece...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if len(line) > maxLine {
				return fmt.Errorf("a message has more than %d bytes", maxLine)
			}
		case err != nil:
			return err
		default:
			receive(bytes.TrimSuffix(line, []byte("\n")))
			line = nil
		}
	}
}
