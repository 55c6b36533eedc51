package a2a

import "net/http"

// jsonrpcBinding posts every operation to one URL, byte for byte the one that the
// card declares (specification 0.1 to 0.3 §3.2, 1.0 §9).
type jsonrpcBinding struct {
	dialect  *Dialect
	endpoint string
}

func (b jsonrpcBinding) encode(req Request, id string) (outgoing, error) {
	body, method, err := b.dialect.Encode(req, id)
	if err != nil {
		return outgoing{}, err
	}
	if verb, path, routed := route(method); routed {
		return restBinding{dialect: b.dialect, base: b.endpoint}.request(&req, verb, path, body)
	}
	h := b.dialect.heading(&req)
	h.Set("Content-Type", "application/json")
	h.Set("Accept", accept(req.Call.Op, "application/json"))
	return outgoing{method: http.MethodPost, url: b.endpoint, header: h, body: body, rpcID: rpcIDText(id)}, nil
}

func (jsonrpcBinding) next(*Request, outgoing, *Outcome) (outgoing, string, bool) {
	return outgoing{}, "", false
}

// accept returns what an operation can be answered with: streaming calls are
// answered by plain bodies too.
func accept(op Op, media string) string {
	if op == OpStream || op == OpSubscribe {
		return "text/event-stream, " + media
	}
	return media
}
