package a2a

import "strings"

// grpcBinding calls the methods of a gRPC service (specification 0.3.0 §3.2.2, 1.0 §10).
type grpcBinding struct {
	dialect  *Dialect
	endpoint string // as of [GRPCEndpoint]
	format   Format // nil without a carrier
}

func (b grpcBinding) encode(req Request, _ string) (outgoingRequest, error) {
	body, method, err := b.dialect.Encode(req, "")
	if err != nil {
		return outgoingRequest{}, err
	}
	verb, path, _ := route(method)
	return carried(b.format, verb, b.endpoint, path, body, &req, b.dialect)
}

// carried returns a request for a carrier.
func carried(format Format, verb, endpoint, path string, body []byte, req *Request, d *Dialect) (outgoingRequest, error) {
	out := outgoingRequest{method: verb, url: strings.TrimRight(endpoint, "/") + path, header: d.requestHeader(req), body: body, path: path}
	if format == nil {
		return out, nil
	}
	binary, err := format.Build(path, body)
	if err != nil {
		return outgoingRequest{}, err
	}
	out.binary = binary
	if text, fault := format.Render(binary); fault == nil {
		out.body = text // as every reader of the record will see it
	}
	return out, nil
}

// next repeats nothing: gRPC has one way for each operation.
func (b grpcBinding) next(*Request, outgoingRequest, *Answer) (outgoingRequest, string, bool) {
	return outgoingRequest{}, "", false
}
