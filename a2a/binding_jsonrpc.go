package a2a

import (
	"errors"
	"fmt"
	"net/http"
)

// jsonrpcBinding posts every operation to one URL, byte for byte the one that the
// card declares (specification 0.1 to 0.3 §3.2, 1.0 §9).
type jsonrpcBinding struct {
	dialect  *Dialect
	endpoint string
}

func (b jsonrpcBinding) encode(req Request, id string) (outgoingRequest, error) {
	body, method, err := b.dialect.Encode(req, id)
	if err != nil {
		return outgoingRequest{}, err
	}
	if verb, path, routed := route(method); routed {
		return restBinding{dialect: b.dialect, base: b.endpoint}.request(&req, verb, path, body)
	}
	h := b.dialect.requestHeader(&req)
	h.Set("Content-Type", "application/json")
	h.Set("Accept", accept(req.Call.Op, "application/json"))
	return outgoingRequest{method: http.MethodPost, url: b.endpoint, header: h, body: body, rpcID: rpcIDText(id)}, nil
}

// next asks for the extended card in the other of its two ways: 0.2 has a GET for it and 0.3 a
// method (specification 0.2.6 §7.10, 0.3.0 §7.10), and agents of either version have one or the
// other. Both requests start no work.
func (b jsonrpcBinding) next(req *Request, sent outgoingRequest, o *Answer) (outgoingRequest, string, bool) {
	var other DialectName
	switch b.dialect.name {
	case V02:
		other = V03
	case V03:
		other = V02
	}
	if req.Call.Op != OpExtendedCard || other == Unknown || sent.tried&triedMethod != 0 || o.Events > 0 || o.asksCredentials() || !o.refusesMethod() {
		return outgoingRequest{}, "", false
	}
	dialect, _ := LookupDialect(other)
	out, err := jsonrpcBinding{dialect: dialect, endpoint: b.endpoint}.encode(*req, fmt.Sprintf("extended-card-%d", o.Exchange))
	if err != nil {
		return outgoingRequest{}, "", false
	}
	out.tried, out.dialect = sent.tried|triedMethod, other
	return out, "The agent has no extended card at this address; Parley asks for it by " + dialect.Method(OpExtendedCard) + ".", true
}

// asksCredentials reports whether the answer asks for authentication.
func (o *Answer) asksCredentials() bool {
	var rpc *RPCError
	return o.Status == http.StatusUnauthorized || o.Status == http.StatusForbidden ||
		errors.As(o.Err, &rpc) && rpc.AsksCredentials()
}

// refusesMethod reports whether the answer says that the resource does not exist or cannot be
// requested this way.
func (o *Answer) refusesMethod() bool {
	var rpc *RPCError
	return o.MethodNotFound() || o.NothingThere() || errors.As(o.Err, &rpc) && (rpc.Code == -32601 || rpc.Code == -32600 || rpc.Code == -32700)
}

// accept returns the content types that an operation accepts: agents answer streaming calls
// with plain bodies too.
func accept(op Op, media string) string {
	if op == OpStream || op == OpSubscribe {
		return "text/event-stream, " + media
	}
	return media
}
