package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"
)

// loggedInput is how many bytes of bad input a line of the log shows.
const loggedInput = 200

// stream is a jsonrpc2.Stream that only the end of the transport ends: bad input
// is answered or logged, and reading goes on.
//
// It has no ReadFrame: the connection would then decode by itself, and end at the
// first body that is not JSON-RPC.
type stream struct {
	in  *frameReader
	out jsonrpc2.Stream // frames and serializes what is written
	log *zap.Logger

	stopped atomic.Bool
	close   func() error

	endOnce sync.Once
	failure error         // why it ended; nil for a clean end. Set before ended is closed
	ended   chan struct{} // closed when nothing more can be read, or written
}

func newStream(rwc io.ReadWriteCloser, log *zap.Logger) *stream {
	s := &stream{
		in: newFrameReader(rwc), out: jsonrpc2.NewHeaderStream(rwc), log: log,
		close: sync.OnceValue(rwc.Close), ended: make(chan struct{}),
	}
	s.in.malformed = func(line []byte) {
		log.Warn("malformed message header, skipping to the next message", input(line))
	}
	s.in.tooLong = func(length int64) {
		log.Warn("message too long, skipped", zap.Int64("bytes", length), zap.Int64("limit", s.in.maxFrame))
		s.refuse(jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "message of %d bytes is over the limit of %d", length, s.in.maxFrame))
	}
	return s
}

// Read implements jsonrpc2.Stream. What it returns borrows the read buffer.
func (s *stream) Read(context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if s.stopped.Load() {
			return nil, 0, s.end(io.EOF)
		}
		body, err := s.in.next()
		if err != nil {
			return nil, 0, s.end(err)
		}
		msg, refusal := decode(body)
		if refusal == nil {
			return msg, int64(len(body)), nil
		}
		s.log.Warn("message refused", zap.String("why", refusal.Message), input(body))
		s.refuse(refusal)
	}
}

// decode returns the message in body, or the error to answer it with.
func decode(body []byte) (jsonrpc2.Message, *jsonrpc2.Error) {
	msg, err := jsonrpc2.DecodeMessage(body)
	switch {
	case err == nil:
		return msg, nil
	case !json.Valid(body):
		return nil, jsonrpc2.NewError(jsonrpc2.ParseError, "the message is not JSON")
	case bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte{'['}):
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "batches are not part of the Language Server Protocol")
	}
	return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the message is not a JSON-RPC 2.0 request, notification or response")
}

// refuse answers input whose id cannot be trusted. That the answer cannot be
// written is the failure of the stream, which Write notes.
func (s *stream) refuse(refusal *jsonrpc2.Error) {
	_, _ = s.Write(context.Background(), jsonrpc2.NewResponse(jsonrpc2.ID{}, nil, refusal))
}

// Write implements jsonrpc2.Stream.
func (s *stream) Write(ctx context.Context, msg jsonrpc2.Message) (int64, error) {
	n, err := s.out.Write(ctx, msg)
	if err != nil && ctx.Err() == nil {
		_ = s.end(fmt.Errorf("write to the client: %w", err))
	}
	return n, err
}

// Close implements jsonrpc2.Stream. It may be called more than once.
func (s *stream) Close() error { return s.close() }

// stop makes the next Read report the end of the stream, whether or not the
// client closes its side.
func (s *stream) stop() { s.stopped.Store(true) }

// end notes the first reason for the end and returns err.
func (s *stream) end(err error) error {
	s.endOnce.Do(func() {
		if err != io.EOF {
			s.failure = err
		}
		close(s.ended)
	})
	return err
}

func input(b []byte) zap.Field {
	return zap.ByteString("input", b[:min(len(b), loggedInput)])
}
