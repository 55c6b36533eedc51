package engine

import (
	"strings"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// SetExtensions sets which extensions requests to an agent ask for, by their URIs, in the
// header of the dialect; an empty list asks for none. URIs that a header cannot carry are
// omitted, see [a2a.CheckExtension].
func (e *Engine) SetExtensions(agent a2a.AgentID, uris []string) {
	e.mu.Lock()
	a := e.agents[agent]
	if a != nil {
		a.extensions = model.ValidExtensions(uris)
	}
	e.mu.Unlock()
	if a != nil {
		e.noteExtensions(a)
	}
}

// setExtensions makes the requests of a turn ask for other extensions than the agent's, unless
// they are nil. The agent is the turn's own copy.
func (a *remote) setExtensions(uris []string) {
	if uris != nil {
		a.extensions = model.ValidExtensions(uris)
	}
}

// noteExtensions records which extensions an agent's requests ask for.
func (e *Engine) noteExtensions(a *remote) {
	e.mu.Lock()
	attrs := map[string]string{
		log.AttrAgent: log.IDText(a.id), log.AttrRef: a2a.MaskReference(a.ref),
		log.AttrSentence: "no extensions are requested any more",
	}
	if len(a.extensions) > 0 {
		attrs[log.AttrSentence] = "requested from now on: " + strings.Join(a.extensions, ", ")
	}
	setJSON(attrs, log.AttrExtensions, a.extensions)
	e.mu.Unlock()
	e.note(log.NoteExtensions, attrs)
}
