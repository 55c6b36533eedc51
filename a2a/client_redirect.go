package a2a

import (
	"context"
	"fmt"
	"io"
	"net/http"
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
	from, location := hostPort(x.target), resp.Header.Get("Location")
	shown, _ := x.mask.url(location)
	target, err := x.target.Parse(location)
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
	if x.out.method == http.MethodPost && resp.StatusCode != http.StatusTemporaryRedirect &&
		resp.StatusCode != http.StatusPermanentRedirect {
		if originOf(target) != originOf(x.target) {
			return refused("%s answered %s and names %s, which is another origin; nothing was sent there. If the agent has moved there, open that address.",
				from, resp.Status, shown)
		}
		return refused("%s answered %s and names %s: the endpoint's URL in the card is probably wrong, and this may be the right one.",
			from, resp.Status, shown)
	}
	next := x.out
	next.url = target.String()
	return &next, x.finish(End{Reason: Ended, Sentence: "Redirected to " + shown + "."}, tail)
}
