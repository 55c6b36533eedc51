package engine

import (
	"context"
	"fmt"
	"net/http"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/task"
)

// A server on the way to an agent answers 404 and 405, too, and some do so after the agent got the message.
// Without an error of A2A, such an answer of a URL that the card declares says nothing about the agent.

// isRefusedOnTheWay reports whether something on the way may have refused a request: the agent has answered at
// that URL before, or answers a probe there now. Then nothing else is tried, because a message that the
// agent took would begin its work twice.
//
// Over HTTP+JSON a stream has a path of its own, which an agent may lack though it answers at others. The path is
// missing if the refusal names the server that it comes from, and the answer to a probe names the same one, or if
// OPTIONS finds nothing there either: then nothing was started (RFC 9110 §15.5.5), and the message may be sent without
// a stream. A server on the way names itself or nobody.
func (d *dispatch) isRefusedOnTheWay(ctx context.Context) bool {
	d.cleared, d.vacant = "", false
	way := d.a.profile.Way()
	if !d.out.NothingThere() || !task.IsRequired(d.call.Op) || d.a.aside || !d.first.Offers(way) || ctx.Err() != nil {
		return false
	}
	d.e.mu.Lock()
	live := d.e.agents[d.agent]
	fixed := live == nil || live.pins.Fix()
	proven, held := provenWay{}, false
	if live != nil {
		proven, held = live.provenWay()
	}
	d.e.mu.Unlock()
	pathOfStream := d.call.Op == a2a.OpStream && way.Binding == a2a.BindingREST && d.e.streaming(d.a) != a2a.True
	switch {
	case fixed:
		return false
	case held && proven.way.Same(way) && !pathOfStream:
		d.cleared = "but has answered as A2A before"
		return true
	}
	found := d.probe(ctx)
	switch as := found.Profile.Way(); {
	case ctx.Err() != nil:
	case found.Profile.Problem == "" && pathOfStream && (d.out.Hop.Same(&found.Hop) || d.lacksStreams(ctx, way)):
	case found.Profile.Problem != "":
		d.vacant = true
	case as.Same(way) || d.answersIn(ctx, way):
		d.cleared = "and a probe right after it as A2A"
	}
	return d.cleared != ""
}

// describeClearance says of a refused request that the agent is there.
func (d *dispatch) describeClearance() string {
	said := fmt.Sprintf("%s answered the request with %s, %s: ", a2a.MaskReference(d.a.profile.Endpoint), d.out.Said, d.cleared)
	switch {
	case d.a.profile.Binding != a2a.BindingREST: // where all operations have one URL
	case d.call.Op != a2a.OpStream:
		return said + "it may not have this operation, or something on the way may have refused the request."
	case d.e.streaming(d.a) != a2a.True:
		return said + "the URL is right, and the agent has no path for streams though its card declares them, or something on the way refused the request. " +
			"If it has none, --async, or /options in the workbench, sends without a stream."
	}
	return said + "the URL is right, and something on the way may have refused the request."
}

// lacksStreams reports whether nothing is at the path of streams, as it was refused with 404.
func (d *dispatch) lacksStreams(ctx context.Context, way a2a.Way) bool {
	if d.out.Status != http.StatusNotFound {
		return false
	}
	d.e.mu.Lock()
	o := d.e.clientOptions(d.a)
	d.e.mu.Unlock()
	return a2a.LacksStreams(ctx, way, &a2a.Call{Agent: d.agent}, o)
}

// answersIn reports whether an agent answers a probe in a way. Where it answers in another one, too, probes do
// not say so.
func (d *dispatch) answersIn(ctx context.Context, way a2a.Way) bool {
	d.e.mu.Lock()
	o := d.e.clientOptions(d.a)
	d.e.mu.Unlock()
	return a2a.ProbeWay(ctx, way, &a2a.Call{Agent: d.agent}, o)
}

// probe probes where a request was refused, now: an earlier answer does not count.
func (d *dispatch) probe(ctx context.Context) a2a.ProbeResult {
	endpoint := d.a.profile.Endpoint
	d.e.probes.Delete(probed{endpoint, d.a.pins.Binding})
	found := d.e.probe(ctx, d.a, endpoint)
	if ctx.Err() == nil && len(d.tried) == 0 {
		d.probed = &found
	}
	return found
}

// probes says that probes were sent after a refusal, and that they found no agent; empty if that is not so.
func (d *dispatch) probes() string {
	if d.probed == nil || d.probed.Profile.Problem == "" || len(d.tried) > 0 || !d.refused() {
		return ""
	}
	return fmt.Sprintf(" Parley also probed the endpoint: none of %s got the answer of an agent.", units.Plural(len(d.probed.Attempts), "probe"))
}

// tellProbes completes the problem of a turn with what shows where the agent is, or that nothing does.
func (d *dispatch) tellProbes() bool {
	live := d.e.agent(d.agent)
	if live == nil || len(d.tried) > 0 || d.probes() == "" && d.cleared == "" {
		return false
	}
	var attempts []a2a.Lookup
	if d.probed != nil {
		attempts = d.probed.Attempts
	}
	d.e.mu.Lock()
	p := live.profile
	d.e.mu.Unlock()
	d.e.change(live, p, attempts, d.call.Turn, d.failure())
	return true
}
