package a2a

import (
	"net/http"
	"strings"

	"parley/a2a/jsontok"
)

// reflectionPath is the method by which a server lists its services, if it has it.
const reflectionPath = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"

// grpc probes an endpoint of gRPC and reports whether a dialect was recognised: by the list of
// its services, and otherwise by a get of a task that does not exist.
func (p *prober) grpc() bool {
	if p.reflection() {
		return true
	}
	for _, d := range [...]DialectName{V10, V03} {
		r := p.getOverGRPC(d)
		switch {
		case r.means == methodKnown:
			return p.recognise(&r, d, BindingGRPC)
		case r.means == giveUp:
			return false
		}
	}
	return false
}

// reflection asks for the services of a server.
func (p *prober) reflection() bool {
	format := p.wire.formats[BindingGRPC]
	out, err := carried(format, http.MethodPost, p.endpoint, reflectionPath, []byte(`{"listServices":"*"}`), &Request{Call: &Call{Op: OpProbe}}, &dialectV10GRPC)
	if err != nil {
		return false
	}
	r := p.ask("server reflection", V10, BindingGRPC, out)
	newest := Unknown
	var doc jsontok.Doc
	_ = doc.Parse(p.body) // a broken list is read up to the break
	for service := range doc.Root().Get("listServicesResponse").Get("service").Elems() {
		switch "/" + service.Get("name").Text() + "/" {
		case serviceV10:
			newest = V10
		case serviceV03:
			if newest == Unknown {
				newest = V03
			}
		}
	}
	if newest == Unknown {
		if r.means != giveUp {
			r.says = "does not list its services"
		}
		p.note(&r)
		return false
	}
	d, _ := LookupDialect(overGRPC(newest))
	_, path, _ := route(d.Method(OpGet))
	service := path[1:strings.LastIndexByte(path, '/')]
	r.confidence, r.says, r.means, r.class = Certain, "lists the service "+service, methodKnown, ""
	p.note(&r)
	return p.recognise(&r, newest, BindingGRPC)
}

// getOverGRPC asks for the task that does not exist.
func (p *prober) getOverGRPC(d DialectName) probeAnswer {
	dialect, _ := LookupDialect(overGRPC(d))
	b := grpcBinding{dialect: dialect, endpoint: p.endpoint, format: p.wire.formats[BindingGRPC]}
	out, err := b.encode(Request{Call: &Call{Op: OpGet}, TaskID: p.task}, "")
	if err != nil {
		return probeAnswer{means: nothingThere}
	}
	r := p.ask(RPC(dialect.Method(OpGet))+" of "+d.Number(), d, BindingGRPC, out)
	switch {
	case r.means == giveUp:
	case r.status == http.StatusNotImplemented:
		r.says = "does not have the service"
	case r.result:
		r.means, r.confidence, r.foreign, r.says = methodKnown, Likely, true, "answers with a task"
	case r.rpc != nil:
		r.means, r.confidence = methodKnown, Likely
		if r.status == http.StatusNotFound {
			r.confidence = Certain
		}
		r.says = "knows the method: " + r.rpc.Error()
	}
	p.note(&r)
	return r
}
