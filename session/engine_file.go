package session

import (
	"context"
	"strings"

	"parley/a2a"
)

// DownloadFile downloads the file that a part of an agent names by an http or https URI, see
// [a2a.Client.File], which explains the origins. It comes as an [Agent.File], and as the
// recorded body; the turn is over then. Nothing is downloaded before the user asks for it.
func (e *Engine) DownloadFile(agent a2a.AgentID, uri string, besides ...string) a2a.TurnID {
	e.mu.Lock()
	e.last.turn++
	call := a2a.Call{Agent: agent, Turn: e.last.turn}
	ctx := e.begin(call.Turn)
	e.mu.Unlock()
	e.start(func() { e.finish(&call, e.downloadFile(ctx, call, uri, besides)) })
	return call.Turn
}

// downloadFile performs the work of DownloadFile.
func (e *Engine) downloadFile(ctx context.Context, call a2a.Call, uri string, besides []string) failure {
	client, done := e.clientOf(call.Agent)
	if client == nil {
		return failure{"There is no such agent in this session; open it first.", ProblemUnsent}
	}
	defer done()
	return outcomeFailure(client.File(ctx, call, uri, besides...))
}

// Trusts reports whether an agent's credentials are sent when a file is downloaded.
func (e *Engine) Trusts(agent a2a.AgentID, uri string) bool {
	client, done := e.clientOf(agent)
	if client == nil {
		return false
	}
	defer done()
	return client.Trusts(uri)
}

// clientOf returns the client of an agent, nil if there is no such agent, and a function to
// call when it is not needed any more.
func (e *Engine) clientOf(agent a2a.AgentID) (client *a2a.Client, done func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.agents[agent]
	switch {
	case a == nil:
		return nil, nil
	case a.client != nil:
		return a.client, func() {}
	}
	client = a2a.NewClient(a.profile, a.card, e.clientOptions(a))
	return client, client.Close
}

// A File is a downloaded file of the address that a part names.
type File struct {
	URI       string // as in the record: with masks in place of secrets
	MediaType string // as the server says
	Data      []byte
	Record    a2a.RecordID
}

// File returns the newest file that was downloaded from an address, nil if there is none.
func (a *Agent) File(uri string) *File {
	for i := len(a.Files) - 1; i >= 0; i-- {
		if f := &a.Files[i]; f.URI == uri || unmasks(f.URI, uri) {
			return f
		}
	}
	return nil
}

// unmasks reports whether a URI is another one with its masks filled in.
func unmasks(masked, uri string) bool {
	pieces := strings.Split(masked, a2a.Mask)
	if len(pieces) == 1 {
		return false
	}
	rest, ok := strings.CutPrefix(uri, pieces[0])
	for _, piece := range pieces[1 : len(pieces)-1] {
		i := strings.Index(rest, piece)
		if !ok || i < 0 {
			return false
		}
		rest = rest[i+len(piece):]
	}
	return ok && strings.HasSuffix(rest, pieces[len(pieces)-1])
}

// filed takes a downloaded file, if a record is one.
func (s *State) filed(x *exchange, p *Item, ch *Change) {
	r, events := &p.Record, p.Update.Events
	if x.call.Op != a2a.OpArtifact || x.agent == nil || r.Kind != a2a.KindBody || r.Torn || r.Omitted > 0 ||
		len(events) != 1 || events[0].Kind != a2a.EventNotA2A || x.status/100 != 2 {
		return
	}
	x.agent.Files = append(x.agent.Files, File{URI: x.call.URI, MediaType: x.media, Data: r.Raw, Record: r.ID})
	ch.Agents = true
}

// elsewhere reports whether a call goes to the address that a part names: its answer says
// nothing about the agent.
func elsewhere(call *a2a.Call) bool {
	return call.Op == a2a.OpArtifact && !a2a.IsArtifactURI(call.URI)
}
