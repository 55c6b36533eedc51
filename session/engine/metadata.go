package engine

import (
	"bytes"
	"encoding/json"

	"parley/a2a"
)

// SetTaskMetadata sets the metadata, a JSON object or nil, of the requests about tasks to an
// agent: get, poll, cancel, subscribe, and those about webhooks. A dialect whose request has no
// member for it omits it (specification 0.1.0 §7, 0.3.0 §7.3 to §7.9; 1.0 has one for cancel
// alone).
func (e *Engine) SetTaskMetadata(agent a2a.AgentID, metadata json.RawMessage) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if a := e.agents[agent]; a != nil {
		a.metadata = bytes.Clone(metadata)
	}
}

// complete adds the agent's metadata and extensions to a request. The metadata of a message is
// its own.
func (a *remote) complete(req *a2a.Request) {
	req.Extensions = a.extensions
	if req.Metadata == nil {
		req.Metadata = a.metadata
	}
}
