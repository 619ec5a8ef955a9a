package lsp

import (
	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

func spanOf(m *text.Mapper, r protocol.Range, enc text.Encoding) (text.Span, error) {
	start, err := m.Offset(fromProtocol(r.Start), enc)
	if err != nil {
		return text.Span{}, err
	}
	end, err := m.Offset(fromProtocol(r.End), enc)
	if err != nil {
		return text.Span{}, err
	}
	return text.Span{Start: start, End: max(start, end)}, nil
}

func rangeOf(m *text.Mapper, s text.Span, enc text.Encoding) (protocol.Range, error) {
	both, err := m.Positions([]int{s.Start, s.End}, enc)
	if err != nil {
		return protocol.Range{}, err
	}
	return protocol.Range{Start: toProtocol(both[0]), End: toProtocol(both[1])}, nil
}

// rangesOf converts many spans in one pass.
func rangesOf(m *text.Mapper, spans []text.Span, enc text.Encoding) ([]protocol.Range, error) {
	offsets := make([]int, 0, 2*len(spans))
	for _, s := range spans {
		offsets = append(offsets, s.Start, s.End)
	}
	positions, err := m.Positions(offsets, enc)
	if err != nil {
		return nil, err
	}
	ranges := make([]protocol.Range, len(spans))
	for i := range spans {
		ranges[i] = protocol.Range{Start: toProtocol(positions[2*i]), End: toProtocol(positions[2*i+1])}
	}
	return ranges, nil
}

func fromProtocol(p protocol.Position) text.Position {
	return text.Position{Line: int(p.Line), Column: int(p.Character)}
}

func toProtocol(p text.Position) protocol.Position {
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Column)}
}
