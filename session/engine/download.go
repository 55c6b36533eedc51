package engine

import (
	"context"

	"parley/a2a"
)

// DownloadFile downloads the file that a part of an agent names by an http or https URI, see
// [a2a.Client.File], which explains the origins. It comes as an [model.Agent.File], and as the
// recorded body; the turn is over then. Nothing is downloaded before the user asks for it.
func (e *Engine) DownloadFile(agent a2a.AgentID, uri string, besides ...string) a2a.TurnID {
	return e.DownloadRest(agent, uri, a2a.Rest{}, besides...)
}

// DownloadRest downloads the rest of a file, see [a2a.Client.FileRest]. It comes as the recorded
// body.
func (e *Engine) DownloadRest(agent a2a.AgentID, uri string, rest a2a.Rest, besides ...string) a2a.TurnID {
	e.mu.Lock()
	call := a2a.Call{Agent: agent}
	ctx := e.beginTurn(&call)
	e.mu.Unlock()
	e.start(func() { e.finish(&call, e.downloadFile(ctx, call, uri, rest, besides)) })
	return call.Turn
}

// downloadFile performs the work of DownloadFile.
func (e *Engine) downloadFile(ctx context.Context, call a2a.Call, uri string, rest a2a.Rest, besides []string) failure {
	client, done := e.clientOf(call.Agent)
	if client == nil {
		return unknownAgentFailure
	}
	defer done()
	return answerFailure(client.FileRest(ctx, call, uri, rest, besides...))
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
	if a := e.agents[agent]; a != nil {
		return e.clientFor(a)
	}
	return nil, nil
}

// clientFor returns the agent's client or, if there is none, one for the caller alone, which done
// closes. The caller holds the engine's lock.
func (e *Engine) clientFor(a *remote) (client *a2a.Client, done func()) {
	if a.client != nil {
		return a.client, func() {}
	}
	client = a2a.NewClient(a.profile, a.card, e.clientOptions(a))
	return client, client.Close
}
