package subprocess

// buffer keeps the first limit bytes that are written to it. It takes the rest
// too: a command that cannot write would hang. One goroutine writes; its text
// is read after the command has ended.
type buffer struct {
	limit   int
	kept    []byte
	dropped bool
	full    chan struct{} // closed at the first byte too many; may be nil
}

func (b *buffer) Write(p []byte) (int, error) {
	room := b.limit - len(b.kept)
	b.kept = append(b.kept, p[:min(room, len(p))]...)
	if len(p) > room && !b.dropped {
		b.dropped = true
		if b.full != nil {
			close(b.full)
		}
	}
	return len(p), nil
}

func (b *buffer) text() string { return string(b.kept) }
