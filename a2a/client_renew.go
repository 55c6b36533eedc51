package a2a

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// authorize puts the credentials on a request. It takes a bearer token from Options.BearerFrom,
// which every record masks from then on, but only if the token may go to u. If there is no
// token, problem is the end of the request.
func (x *exchange) authorize(ctx context.Context, header http.Header, u *url.URL) (problem *End) {
	c := x.wire.creds
	if c.from != nil && x.wire.gate.permits(u) {
		token, err := c.from(ctx, "")
		if err != nil {
			problem = &End{Reason: Refused, Class: ClassNoCredentials, Sentence: "Nothing was sent: " + asSentence(err.Error())}
		}
		c.bearer = strings.TrimSpace(token)
		x.token = c.bearer
		x.mask.know(c.bearer)
	}
	c.apply(header, u)
	return problem
}

// renew takes the credentials that were kept back, or requests another bearer token, after an
// answer that asks for that, once. It returns the request to make with it, or the end of the
// exchange; ok is false if the answer is to be read like any other.
func (x *exchange) renew(ctx context.Context, resp *http.Response) (again *outgoingRequest, end End, ok bool) {
	if again, end, ok = x.demanded(); !ok && resp.StatusCode == http.StatusUnauthorized {
		again, end, ok = x.newToken(ctx)
	}
	if !ok {
		return nil, End{}, false
	}
	tail, _ := io.ReadAll(io.LimitReader(resp.Body, maxRedirectBody)) // what is missing says no more than the status
	return again, x.finish(end, tail), true
}

// newToken requests another bearer token after one was refused, once. It returns the request to
// make with it, nil if there is no other one, and the end of the exchange; ok is false if
// nothing changes.
func (x *exchange) newToken(ctx context.Context) (again *outgoingRequest, end End, ok bool) {
	if x.token == "" || x.renewed {
		return nil, End{}, false
	}
	token, err := x.wire.creds.from(ctx, x.token)
	token = strings.TrimSpace(token)
	if ctx.Err() != nil || err == nil && token == x.token {
		return nil, End{}, false
	}
	end = End{Reason: Ended, Class: ClassFollowed, Sentence: "The agent did not accept the bearer token; Parley repeats the request with a new one."}
	again = &x.out
	if err != nil {
		again = nil
		end = End{Reason: Ended, Class: ClassAuth, Sentence: fmt.Sprintf("%s did not accept the bearer token (%s), and there is no other one: %s",
			hostPort(x.target), x.tally.statusText, asSentence(err.Error()))}
	}
	x.renewed = true
	x.mask.know(token)
	return again, end, true
}

// renewCarried is renew over another carrier.
func (x *exchange) renewCarried(ctx context.Context, end *End) (again *outgoingRequest, ok bool) {
	if x.tally.Events > 0 {
		return nil, false
	}
	out, why, ok := x.demanded()
	if !ok && x.tally.status == http.StatusUnauthorized {
		out, why, ok = x.newToken(ctx)
	}
	if ok {
		why.Trailer = end.Trailer
		*end = why
	}
	return out, ok
}
