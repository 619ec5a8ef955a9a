package session

// changes tells which files changed while the engine ran over an older state of
// the workspace, which nobody else would notice. Session.mu guards it.
type changes struct {
	now  uint64            // counts the changes of files
	runs int               // runs at work
	at   map[string]uint64 // the last change of each file while a run was at work
}

// begin returns the moment before a run, which must take its view of the
// workspace afterwards.
func (c *changes) begin() (since uint64) {
	c.runs++
	return c.now
}

func (c *changes) end() {
	if c.runs--; c.runs == 0 {
		clear(c.at)
	}
}

func (c *changes) note(path string) (at uint64) {
	c.now++
	if c.runs > 0 {
		c.at[path] = c.now
	}
	return c.now
}

// after returns when the file last changed, if that was after since, the
// beginning of a run that is still at work.
func (c *changes) after(path string, since uint64) (at uint64, ok bool) {
	at = c.at[path]
	return at, at > since
}

func (s *Session) beginRun() (since uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changes.begin()
}

func (s *Session) endRun() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes.end()
}
