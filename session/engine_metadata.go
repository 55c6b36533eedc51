package session

import (
	"bytes"
	"encoding/json"

	"parley/a2a"
)

// SetTaskMetadata decides which metadata, a JSON object or nil, goes with the requests about
// tasks to an agent from now on: when one is asked for, also again and again, canceled, or
// subscribed to, and with those about its webhooks. A dialect that has no member for it in a
// request leaves it out (specification 0.1.0 §7, 0.3.0 §7.3 to §7.9; 1.0 has one for a cancel
// alone).
func (e *Engine) SetTaskMetadata(agent a2a.AgentID, metadata json.RawMessage) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if a := e.agents[agent]; a != nil {
		a.metadata = bytes.Clone(metadata)
	}
}

// complete adds to a request what all requests to the agent ask for. The metadata of a message
// is its own.
func (a *remote) complete(req *a2a.Request) {
	req.Extensions = a.extensions
	if req.Metadata == nil {
		req.Metadata = a.metadata
	}
}
