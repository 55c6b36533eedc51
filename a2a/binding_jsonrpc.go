package a2a

import "net/http"

// jsonrpcBinding posts every operation to one URL, byte for byte the one that the
// card declares (specification 0.1 to 0.3 §3.2, 1.0 §9).
type jsonrpcBinding struct {
	dialect  *Dialect
	endpoint string
}

func (b jsonrpcBinding) encode(req Request, id string) (outgoing, error) {
	body, _, err := b.dialect.Encode(req, id)
	if err != nil {
		return outgoing{}, err
	}
	h := b.dialect.Headers(req.Call.Op)
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json")
	if req.Call.Op == OpStream || req.Call.Op == OpSubscribe {
		h.Set("Accept", "text/event-stream, application/json")
	}
	return outgoing{method: http.MethodPost, url: b.endpoint, header: h, body: body, rpcID: rpcIDText(id)}, nil
}
