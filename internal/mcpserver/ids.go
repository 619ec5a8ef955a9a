package mcpserver

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// textSessionEnded is what became of a proposal that nobody had decided about.
const textSessionEnded = "The session in which %s was pending has ended, and the proposal with it: nothing of it was applied. " +
	"Propose it again where it is still wanted."

// endedDecisions is how far back the decision log is read for one of a session that has
// ended: what an agent asks for was decided lately. (The log's own look-up by pending id
// is about the present session.)
const endedDecisions = 1000

// ids remembers in which session the agent was shown an id of a pending action. They
// begin again with each session: without this, one that the agent still asks for would
// be taken for whatever has it in the next session.
type ids struct {
	mu sync.Mutex
	at map[string]shown
}

type shown struct {
	session int // its number
	since   time.Time
}

// note keeps that the agent has been shown id in client's session.
func (i *ids) note(id string, client *joined) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.at[id].session != client.number {
		i.at[id] = shown{client.number, time.Now()}
	}
}

// before returns where id was shown last, if that was another session than client's.
func (i *ids) before(id string, client *joined) (shown, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	was, ok := i.at[id]
	return was, ok && was.session != client.number
}

// showEnded says what became of an action whose session has ended: the log has the
// decision where there was one.
func (s *Server) showEnded(ctx context.Context, client *joined, id string, was shown) (*mcp.CallToolResult, error) {
	var list struct {
		Decisions []struct {
			PendingID string    `json:"pendingId"`
			Time      time.Time `json:"time"`
			Action    string    `json:"action"`
			Reason    string    `json:"reason"`
		} `json:"decisions"`
	}
	if err := client.Command(ctx, "xcsh.decisions.list", map[string]any{"limit": endedDecisions}, &list, nil); err != nil {
		return s.failure(ctx, client, err)
	}
	end := s.sessions.end(was.session)
	for _, d := range list.Decisions {
		if d.PendingID == id && d.Time.After(was.since) && d.Time.Before(end) {
			return decidedResult(d.Action, d.Reason), nil
		}
	}
	return textResult(fmt.Sprintf(textSessionEnded, id), nil, true), nil
}
