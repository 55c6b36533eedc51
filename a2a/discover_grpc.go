package a2a

import (
	"context"
	"fmt"
	"slices"
)

// rpc asks an endpoint of gRPC for the card of its agent: 1.0 has only the extended card there,
// and 0.3 the one that a caller may see (specification 1.0 §3.1.11, 0.3.0 §7.10).
func (d *discoverer) rpc(ctx context.Context, endpoint string) {
	o := *d.options
	o.UserAddresses = append(slices.Clone(o.UserAddresses), endpoint)
	w := newWire(&o, o.Card)
	defer w.close()
	w = d.reserved(w, Origin(endpoint))
	d.result.Origin, d.result.Endpoint = Origin(endpoint), endpoint
	for _, name := range [...]DialectName{V10GRPC, V03GRPC} {
		if d.tryRPC(ctx, w, endpoint, name) {
			break
		}
	}
	if d.result.Card == nil && d.result.Sentence == "" {
		d.result.Class = ClassNoCard
		d.result.tell(wording{"The agent at " + endpoint + " gives no card over gRPC", ". Give the URL of the card, or continue without one."})
	}
}

// tryRPC asks in one dialect and reports whether the search is over.
func (d *discoverer) tryRPC(ctx context.Context, w *wire, endpoint string, name DialectName) (over bool) {
	limited, cancel := d.withTimeout(ctx)
	defer cancel()
	dialect, _ := LookupDialect(name)
	binding, problem := carriedBy(grpcBinding{dialect: dialect, endpoint: endpoint}, w)
	if problem != "" {
		d.result.Sentence, d.result.Class = problem, ClassUnsupported
		return true
	}
	out, err := binding.encode(Request{Call: &Call{Op: OpExtendedCard}, Tenant: d.options.Pins.Tenant}, "")
	if err != nil {
		return false
	}
	call := d.call
	call.Endpoint, call.Binding = endpoint, BindingGRPC
	call.Dialect, _ = name.version()
	got := w.exchange(call, d.hooks).perform(limited, out, byUser)
	shown, _ := w.mask.url(out.url)
	attempt := Lookup{URL: shown, Record: got.Exchange, Status: got.Status}
	if cards := cardsIn(got.Last); got.End.Reason == Ended && len(cards) > 0 {
		d.result.Attempts = append(d.result.Attempts, attempt)
		d.take(cards, got.record)
		d.stayOnGRPC(endpoint, call.Dialect)
		return true
	}
	sentence, cause, class := noCard(&got, "")
	if attempt.Sentence, attempt.Class = sentence, class; got.MethodNotFound() {
		cause = "The agent has no method " + RPC(dialect.Method(OpExtendedCard)) + " of " + call.Dialect.Number()
		attempt.Sentence, attempt.Class = cause+".", ClassNoCard
	}
	d.result.Attempts = append(d.result.Attempts, attempt)
	return d.weigh(&got, attempt, cause, false) && got.End.Reason != Ended || attempt.Class == ClassNoCredentials || attempt.Class == ClassAuth
}

// stayOnGRPC keeps the binding that the user named by the address, unless something else is
// pinned: the interface of gRPC that the card declares, or the address itself.
func (d *discoverer) stayOnGRPC(endpoint string, dialect DialectName) {
	pins := d.options.Pins
	if pins.Binding != "" || pins.Endpoint != "" {
		return
	}
	pins.Prefer = []Binding{BindingGRPC}
	p := DetectAs(d.result.Card, pins)
	if p.Binding != BindingGRPC || p.Problem != "" {
		p.Dialect, p.Binding, p.Endpoint, p.Problem = dialect, BindingGRPC, endpoint, ""
		p.Evidence = append(p.Evidence,
			Evidence{Field: "dialect", Value: string(dialect), Reason: "the card came in this version", Confidence: Certain, Record: d.result.Record},
			Evidence{Field: "binding", Value: string(BindingGRPC), Reason: "the card came over gRPC, and declares no interface of it", Confidence: Certain},
			Evidence{Field: "endpoint", Value: endpoint, Reason: "the address from which the card came", Confidence: Certain})
		p.Warnings = append(p.Warnings, fmt.Sprintf("The card declares no gRPC interface; Parley uses %s, from which the card came", endpoint))
	}
	for i := range p.Evidence {
		if ev := &p.Evidence[i]; ev.Field == "binding" && ev.Confidence == Pinned {
			ev.Reason, ev.Confidence = "the given address is one of gRPC", Certain
		}
	}
	d.result.Profile = p
}
