package a2a

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// samBinding speaks to the HTTP gateway of Solace Agent Mesh. It answers a
// streaming call with the submitted task as plain JSON; the events come from a
// second request.
type samBinding struct {
	dialect *Dialect
	base    string
	agent   string // which agent is meant, in the metadata of a message
}

// samPaths are where the JSON-RPC bodies of each operation are posted.
var samPaths = map[Op]string{
	OpSend:   "/api/v1/message:send",
	OpStream: "/api/v1/message:stream",
	OpCancel: "/api/v1/tasks/{task}:cancel",
}

// samAgent is the member of a message's metadata that names the agent.
const samAgent = "agent_name"

func (b samBinding) encode(req Request, id string) (outgoingRequest, error) {
	if err := b.address(&req); err != nil {
		return outgoingRequest{}, err
	}
	body, method, err := b.dialect.Encode(req, id)
	if err != nil {
		return outgoingRequest{}, err
	}
	verb, path, routed := route(method)
	if !routed {
		verb, path = http.MethodPost, samPaths[req.Call.Op]
	}
	out, err := restBinding{dialect: b.dialect, base: b.root()}.request(&req, verb, path, body)
	switch {
	case err != nil:
		return outgoingRequest{}, err
	case !routed:
		out.rpcID = rpcIDText(id)
	case req.Call.Op == OpArtifact:
		out.header.Set("Accept", "*/*")
	}
	return out, nil
}

// root is the gateway's base URL; cards and users give one of its paths.
func (b samBinding) root() string {
	root, _, _ := strings.Cut(b.base, "/api/v1")
	return root
}

// address names the agent in the message, unless the message does.
func (b samBinding) address(req *Request) error {
	if req.Message == nil || req.Call == nil || req.Call.Op != OpSend && req.Call.Op != OpStream {
		return nil
	}
	var meta map[string]json.RawMessage
	_ = json.Unmarshal(req.Message.Metadata, &meta) // metadata that is not an object names no agent
	if _, named := meta[samAgent]; named {
		return nil
	}
	if b.agent == "" {
		return encodeErrorf("The gateway serves many agents, and the message does not name one; put %s into its metadata", samAgent)
	}
	name, err := marshal(b.agent)
	if err != nil {
		return err
	}
	m := *req.Message
	m.Metadata = withMember(m.Metadata, samAgent, string(name))
	req.Message = &m
	return nil
}

// next asks for the events of the task that a streaming call has started.
func (b samBinding) next(req *Request, sent outgoingRequest, o *Answer) (outgoingRequest, string, bool) {
	if req.Call.Op != OpStream || sent.tried&triedFollow != 0 || o.Streamed || o.TaskID == "" || !o.Unfinished() {
		return outgoingRequest{}, "", false
	}
	follow := Request{Call: &Call{Op: OpSubscribe}, TaskID: o.TaskID}
	out, err := b.encode(follow, "")
	if err != nil {
		return outgoingRequest{}, "", false
	}
	out.tried = triedFollow
	return out, fmt.Sprintf("The gateway accepted the message as task %s; Parley subscribes to its events with a second request.", clip(o.TaskID)), true
}
