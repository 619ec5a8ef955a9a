package syntax

// ArenaHeld returns the bytes that the parser's arena holds.
func (p *Parser) ArenaHeld() int { return p.arenaHeld() }
