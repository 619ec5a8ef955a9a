package session

// Disconnected tells the session that a connection has ended. What was proposed
// on it stays pending, marked.
func (s *Session) Disconnected(conn ConnID) {
	s.mu.Lock()
	s.gone[conn] = true
	s.mu.Unlock()
	s.notify()
}
