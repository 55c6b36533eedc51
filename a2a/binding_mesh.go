package a2a

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// meshBinding publishes JSON-RPC requests to the topic of an agent of a Solace Agent Mesh. The
// id of a request is that of its task, and the topics of its answers end in it.
type meshBinding struct {
	dialect *Dialect
	address MeshAddress
	gateway string // the id of this client in topics
	user    string // under which the mesh stores sessions
	plain   bool   // the agent refuses the method of streams
}

// The verbs of records: MQTT's words where HTTP has a method.
const (
	verbPublish   = "PUBLISH"
	verbSubscribe = "SUBSCRIBE"
)

// The user properties of a request.
const (
	propReply  = "replyTo"
	propStatus = "a2aStatusTopic"
	propClient = "clientId"
	propUser   = "userId"
	propToken  = "authToken"
)

func (b meshBinding) encode(req Request, id string) (outgoingRequest, error) {
	if b.address.Agent == "" {
		return outgoingRequest{}, encodeErrorf("The address %s names no agent; add #NAME", b.address.String())
	}
	if req.Call.Op == OpSubscribe {
		return b.listen(&req)
	}
	if op := req.Call.Op; req.Message != nil && (op == OpSend || op == OpStream) {
		id = b.complete(&req, id)
	}
	method := req
	if req.Call.Op == OpStream && b.plain {
		call := *req.Call
		call.Op, method.Call = OpSend, &call
	}
	body, _, err := b.dialect.Encode(method, id)
	if err != nil {
		return outgoingRequest{}, err
	}
	if bad := BadTopicPart(id, false); bad != "" {
		return outgoingRequest{}, encodeErrorf("The id of the task “%s” cannot be part of a topic: it contains %s", clip(id), bad)
	}
	header := b.properties(id)
	if req.Call.Op == OpCancel {
		delete(header, propStatus) // nothing but an error answers it
	}
	return outgoingRequest{method: verbPublish, url: b.address.String(), header: header, body: body, rpcID: rpcIDText(id), path: b.address.RequestTopic()}, nil
}

// complete adds to a message what agents of the mesh need: a context, which they use as the id of
// their session, and the members of its metadata that gateways always send. It returns the id of
// the request, which is that of the task.
func (b *meshBinding) complete(req *Request, id string) string {
	m := *req.Message
	if task := req.taskID(); task != "" {
		id = task
	}
	req.TaskID, m.TaskID = "", ""
	if req.ContextID == "" && m.ContextID == "" {
		req.ContextID = "ctx-" + id
	}
	if b.dialect.name == SAMBroker {
		m.Metadata = withMissing(m.Metadata, "response_format", "")
		m.Metadata = withMissing(m.Metadata, "system_purpose", "")
		m.Metadata = withMissing(m.Metadata, samAgent, b.address.Agent)
	}
	req.Message = &m
	return id
}

// withMissing adds a member with a text to an object that does not have it.
func withMissing(raw json.RawMessage, name, value string) json.RawMessage {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(raw, &members) // what is no object is replaced
	if _, has := members[name]; has {
		return raw
	}
	text, _ := json.Marshal(value) // a string always encodes
	return withMember(raw, name, string(text))
}

// properties returns the user properties of a request, whose answers come to topics of their own.
// Maps and numbers are left out: over MQTT they would be text, which agents misread.
func (b *meshBinding) properties(task string) http.Header {
	return http.Header{
		propReply:  {b.address.Topic("gateway/response/" + b.gateway + "/" + task)},
		propStatus: {b.statusTopic(task)},
		propClient: {b.gateway},
		propUser:   {b.user},
	}
}

// statusTopic returns the topic of the updates of a task.
func (b *meshBinding) statusTopic(task string) string {
	return b.address.Topic("gateway/status/" + b.gateway + "/" + task)
}

// listen returns what receives the rest of a task: nothing is published, because the mesh has no
// request for it.
func (b *meshBinding) listen(req *Request) (outgoingRequest, error) {
	id, err := req.needTask()
	if err != nil {
		return outgoingRequest{}, err
	}
	if bad := BadTopicPart(id, false); bad != "" {
		return outgoingRequest{}, encodeErrorf("The id of the task “%s” cannot be part of a topic: it contains %s", clip(id), bad)
	}
	topic := b.statusTopic(id)
	return outgoingRequest{method: verbSubscribe, url: b.address.url(topic), header: http.Header{}, path: topic, rpcID: rpcIDText(id)}, nil
}

// next repeats nothing: a request that was lost is not told from one that was refused.
func (b meshBinding) next(*Request, outgoingRequest, *Answer) (outgoingRequest, string, bool) {
	return outgoingRequest{}, "", false
}

// A gatewayLine is a [Line] that takes part in a mesh under an id of its own.
type gatewayLine interface {
	// Gateway returns the id, and the user under which the mesh stores sessions.
	Gateway() (id, user string)
}

// propertyNames restores the spelling of the user properties that were set as headers, and puts a
// bearer token where a mesh has it.
func (c *credentials) propertyNames(h http.Header) {
	if bearer, ok := strings.CutPrefix(h.Get("Authorization"), "Bearer "); ok {
		h.Del("Authorization")
		h[propToken] = []string{bearer}
	}
	for _, p := range c.pairs {
		canonical := http.CanonicalHeaderKey(p.Name)
		if values, ok := h[canonical]; ok && canonical != p.Name {
			delete(h, canonical)
			h[p.Name] = append(h[p.Name], values...)
		}
	}
}

// meshBindingFor returns the binding of a profile with the address of a broker.
func meshBindingFor(p *Profile, d *Dialect) (b binding, problem string) {
	address, problem := ParseMesh(p.Endpoint)
	switch {
	case p.Endpoint == "": // only whether it could be used
	case problem != "":
		return nil, problem
	}
	if d.name != SAMBroker && d.name != SAMDoc {
		return nil, d.title() + " is not spoken on brokers: choose sam-broker or sam-doc."
	}
	return meshBinding{dialect: d, address: address}, ""
}

// overMQTT returns the dialect of a version on a broker, where only 0.3 is spoken.
func overMQTT(name DialectName) DialectName {
	switch name {
	case V03, V02, Unknown:
		return SAMBroker
	default:
		return name
	}
}

// rawTopic completes a request that a user wrote: the path of its URL is the topic.
func rawTopic(out *outgoingRequest, u *url.URL, err error) (problem string) {
	if err != nil || u.Host == "" {
		return "Nothing was sent: this is no address of a broker."
	}
	topic := strings.TrimPrefix(u.Path, "/")
	if bad := BadTopicPart(topic, true); topic == "" || bad != "" {
		return "Nothing was sent: the path of the URL is the topic, which must not be empty or contain patterns."
	}
	if len(out.body) == 0 {
		return "Nothing was sent: a request on a broker needs a body."
	}
	out.method, out.path = verbPublish, topic
	return ""
}
