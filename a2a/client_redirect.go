package a2a

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parley/a2a/hostname"
)

// maxRedirectBody is how much of a redirect's body is recorded.
const maxRedirectBody = 64 << 10

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// redirect ends an exchange that was answered by a redirect. It returns the request that
// follows the redirect, nil if it must not be followed: a POST is repeated only after 307 and
// 308, because the other statuses turn it into a GET.
func (x *exchange) redirect(ctx context.Context, resp *http.Response, follow bool) (*outgoingRequest, End) {
	tail, err := io.ReadAll(io.LimitReader(resp.Body, maxRedirectBody))
	if err != nil && ctx.Err() != nil {
		return nil, x.finish(x.broken(ctx, err), tail)
	}
	refused := func(format string, args ...any) (*outgoingRequest, End) {
		return nil, x.finish(End{Reason: Ended, Class: ClassRedirect, Sentence: fmt.Sprintf(format, args...)}, tail)
	}
	from, location := x.place(), resp.Header.Get("Location")
	shown, _ := x.mask.url(location)
	named := x.named()
	target, err := named.Parse(location)
	switch {
	case location == "":
		return refused("%s answered %s without a Location: check the URL.", from, resp.Status)
	case err != nil || !isHTTP(target):
		return refused("%s answered %s and redirects to %q, which is not an http or https URL.", from, resp.Status, shown)
	case !follow:
		return refused("%s redirects without end, the last time to %s: check the URL.", from, shown)
	}
	target.User, target.Fragment = nil, ""
	shown, _ = x.mask.url(target.String())
	next := x.out
	next.url, next.from, next.home = target.String(), named, cmp.Or(x.out.home, originOf(named))
	repeated := resp.StatusCode == http.StatusTemporaryRedirect || resp.StatusCode == http.StatusPermanentRedirect
	switch elsewhere := fmt.Sprintf("%s answered %s and names %s, which is another origin; nothing was sent there. ", from, resp.Status, shown); {
	case x.out.method == http.MethodPost && !repeated && originOf(target) != originOf(named):
		return refused("%sIf the agent has moved there, open that address.", elsewhere)
	case x.out.method == http.MethodPost && !repeated:
		return refused("%s answered %s and names %s: the endpoint's URL in the card is probably wrong, and this may be the right one.",
			from, resp.Status, shown)
	case x.strays(&next, target) && x.wire.gate.allowable(target):
		return refused("%sIf the agent has moved there, open that address, or add --allow-origin %s.", elsewhere, shownOrigin(target))
	case x.strays(&next, target):
		return refused("%sIf the agent has moved there, open that address.", elsewhere)
	}
	return &next, x.finish(End{Reason: Ended, Sentence: "Redirected to " + shown + "."}, tail)
}

// strays reports whether a redirect leads to an origin that nobody named. The gate decides about requests
// with credentials, and about those without TLS.
func (x *exchange) strays(next *outgoingRequest, target *url.URL) bool {
	g, to := &x.wire.gate, originOf(target)
	if opened, _ := g.encrypted(target); g.armed || opened != "" || to == next.home || g.allowed[to] || addsTLS(next.from, target) {
		return false
	}
	card := x.call.Op == OpCard || x.call.Op == OpCatalog
	return !card || !sameSite(next.from, target)
}

// addsTLS reports whether a redirect leads to the same host over TLS: at the same port, or from the usual
// port to the usual one.
func addsTLS(from, to *url.URL) bool {
	rest, plain := strings.CutPrefix(originOf(from), "http://")
	return plain && originOf(to) == "https://"+rest
}

// sameSite reports whether a redirect leads from a host to the same one with or without www. before it, in
// the same way or over TLS.
func sameSite(from, to *url.URL) bool {
	bare := func(u *url.URL) *url.URL {
		c := *u
		c.Host = strings.TrimPrefix(hostname.Of(u), "www.")
		return &c
	}
	from, to = bare(from), bare(to)
	return originOf(from) == originOf(to) || addsTLS(from, to)
}

// toward returns the wire for the request that follows a redirect: what may go to a host without TLS may
// go to it with TLS.
func (w *wire) toward(next *outgoingRequest) *wire {
	if next.from == nil {
		return w
	}
	to, err := url.Parse(next.url)
	if err != nil || !w.gate.allowed[originOf(next.from)] || w.gate.allowed[originOf(to)] || !addsTLS(next.from, to) {
		return w
	}
	secure := *w
	secure.gate.allowed = maps.Clone(w.gate.allowed)
	secure.gate.allowed[originOf(to)] = true
	return &secure
}

// afterRedirect returns the sentence of an end that failed. After a redirect it names both ends, unless it
// does so already.
func (x *exchange) afterRedirect(end *End) string {
	if x.out.from == nil || end.Sentence == "" || end.Reason == Ended && end.Class == "" ||
		slices.Contains([]string{ClassFollowed, ClassOrigin, ClassUnencrypted}, end.Class) {
		return end.Sentence
	}
	from, _ := x.mask.url(x.out.from.String())
	return fmt.Sprintf("%s redirected the request to %s. %s", from, x.place(), end.Sentence)
}
