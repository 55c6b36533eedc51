package a2a

import (
	"slices"

	"parley/a2a/jsonrpc"
	"parley/a2a/jsontok"
)

// RequestIDs are the ids by which an agent distinguishes requests and messages: a request that
// is sent again needs new ones. They are JSON as it appears in a body, empty if the body has
// none.
type RequestIDs struct {
	RPC     string // of the JSON-RPC envelope
	Message string // messageId of the message that is sent; 0.1 has none
}

// IDs returns the ids of a request; a broken body is read up to the break.
func (r *RawRequest) IDs() RequestIDs {
	var doc jsontok.Doc
	rpc, message := r.idNodes(&doc)
	return RequestIDs{RPC: string(rpc.Raw()), Message: string(message.Raw())}
}

// WithIDs returns the request with other ids in place of its own. All other bytes stay, and so
// does an id for which ids has none.
func (r *RawRequest) WithIDs(ids RequestIDs) RawRequest {
	var doc jsontok.Doc
	rpc, message := r.idNodes(&doc)
	type put struct {
		at jsontok.Node
		id string
	}
	puts := []put{{rpc, ids.RPC}, {message, ids.Message}}
	slices.SortFunc(puts, func(a, b put) int { return b.at.Offset() - a.at.Offset() }) // from the end, so that offsets stay valid
	out := *r
	for _, p := range puts {
		if p.at.Exists() && p.id != "" {
			out.Body = slices.Concat(out.Body[:p.at.Offset()], []byte(p.id), out.Body[p.at.End():])
		}
	}
	return out
}

// WithFreshIDs returns the request with new ids in place of its own.
func (r *RawRequest) WithFreshIDs(newID func() string) RawRequest {
	has, fresh := r.IDs(), RequestIDs{}
	if has.RPC != "" {
		fresh.RPC = rpcIDText(newID())
	}
	if has.Message != "" {
		fresh.Message = rpcIDText(newID())
	}
	return r.WithIDs(fresh)
}

// idNodes finds the ids in the body; a missing node means that the body lacks the id, or that
// it is neither text nor a number.
func (r *RawRequest) idNodes(doc *jsontok.Doc) (rpc, message jsontok.Node) {
	_ = doc.Parse(r.Body) // broken bodies are read up to the break
	root := doc.Root()
	params := root
	if jsonrpc.ParseEnvelope(doc).Method != "" {
		rpc, params = root.Get("id"), root.Get("params")
	}
	message = params.GetAny("message", "request").GetAny("messageId", "message_id")
	return scalar(doc, rpc), scalar(doc, message)
}

// scalar returns a whole string or number as it is, and no node for anything else.
func scalar(doc *jsontok.Doc, n jsontok.Node) jsontok.Node {
	switch n.Kind() {
	case jsontok.String, jsontok.Number:
		if !doc.Token(n.Index()).Torn {
			return n
		}
	}
	return jsontok.Node{}
}
