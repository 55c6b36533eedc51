package a2a

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parley/a2a/jsonrpc"
	"parley/a2a/jsontok"
)

// Raw sends a request once as the user wrote it, and reads the answer as [Client.Do] does. It
// adds only what HTTP requires. If [Mask] is in a header or in the URL parameter of the API
// key, the client's credential replaces it; a request with other masks is not sent. While a
// request carries secrets, the rule of origins applies; secrets that the user wrote may go to
// the origin of the request.
//
// The call is completed as by [RawRequest.Call].
func (c *Client) Raw(ctx context.Context, call Call, r RawRequest, hooks Hooks) Answer {
	if call.Dialect == Unknown {
		call.Dialect, call.Binding = c.profile.Dialect, c.profile.Binding
	}
	call = r.Call(call)
	call.Endpoint, _ = c.wire.mask.url(r.URL)
	out, problem := c.rawOutgoing(ctx, &r)
	plain := *c.wire // credentials and names are as they were written
	plain.creds, plain.userAgent, plain.parent = credentials{}, "", nil
	x := plain.exchange(call, hooks)
	x.mask.know(headerSecrets(x.mask, out.header)...)
	shown, urlSecrets := x.mask.url(out.url)
	_, headSecrets := x.mask.header(out.header)
	_, bodySecrets := x.mask.body(call.Op, out.body)
	plain.gate = c.wire.gate.forRaw(out.url, len(urlSecrets)+len(headSecrets)+len(bodySecrets) > 0)
	if problem != "" {
		x.out = out
		x.request(out.header, shown, urlSecrets)
		end := x.finish(End{Reason: Refused, Class: ClassUnsupported, Sentence: problem}, nil)
		return x.tally.answer(x, end)
	}
	ctx, cancel := c.withTimeout(ctx, call.Op)
	defer cancel()
	return x.perform(ctx, out, byUser)
}

// rawOutgoing converts a request that the user wrote. The problem says why it cannot be sent.
func (c *Client) rawOutgoing(ctx context.Context, r *RawRequest) (out outgoingRequest, problem string) {
	out = outgoingRequest{method: r.Verb(), url: strings.TrimSpace(r.URL), header: http.Header{}, body: r.Body, rpcID: requestID(r.Body)}
	var whole bool
	if out.body, whole = c.wire.mask.vault.restoreBody(out.body); !whole {
		return out, unknownMask("body")
	}
	if problem = c.rawCarried(&out); problem != "" {
		return out, problem
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if carrierOf(out.url) == BindingMQTT { // whose properties keep their spelling
			out.header[name] = slices.Clone(r.Header[name])
			continue
		}
		for _, value := range r.Header[name] {
			out.header.Add(name, value)
		}
	}
	if problem = badVerb(out.method); problem != "" {
		return out, problem
	}
	out.url, _ = c.wire.mask.vault.Restore(out.url)
	if key := c.wire.creds.keyAs + "=" + Mask; c.wire.creds.keyIn == "query" && c.wire.creds.apiKey != "" {
		out.url = strings.Replace(out.url, key, c.wire.creds.keyAs+"="+url.QueryEscape(c.wire.creds.apiKey), 1)
	}
	if strings.Contains(out.url, Mask) {
		return out, unknownMask("URL")
	}
	known, creds := http.Header{}, c.wire.creds
	if creds.from != nil && strings.Contains(out.header.Get("Authorization"), Mask) {
		token, err := creds.from(ctx, "")
		if err != nil {
			return out, "Nothing was sent: " + asSentence(err.Error())
		}
		creds.bearer = strings.TrimSpace(token)
	}
	creds.apply(known, &url.URL{})
	for name, values := range out.header {
		for i, value := range values {
			if values[i], whole = c.wire.mask.vault.Restore(value); whole {
				continue
			}
			if i >= len(known[name]) {
				return out, unknownMask("header " + name)
			}
			values[i] = known[name][i]
		}
	}
	return out, ""
}

// rawCarried completes a request whose address is that of a carrier. The problem says why it
// cannot be sent.
func (c *Client) rawCarried(out *outgoingRequest) (problem string) {
	binding := carrierOf(out.url)
	if binding == "" {
		return ""
	}
	u, err := url.Parse(out.url)
	if binding == BindingMQTT && c.wire.lines[binding] != nil {
		return rawTopic(out, u, err)
	}
	if err != nil || strings.Trim(u.Path, "/") == "" {
		return "Nothing was sent: the URL has no method behind the host, such as " + serviceV10 + "SendMessage."
	}
	if out.path = u.EscapedPath(); c.wire.lines[binding] == nil {
		return "Nothing was sent: this program cannot send " + binding.String() + "."
	}
	if format := c.wire.formats[binding]; format != nil {
		if out.binary, err = format.Build(out.path, out.body); err != nil {
			return "Nothing was sent: " + asSentence(err.Error())
		}
	}
	return ""
}

// requestID returns the JSON-RPC id of a request as JSON text, empty if it has none.
func requestID(body []byte) string {
	var doc jsontok.Doc
	if doc.Parse(body) != nil {
		return ""
	}
	if e := jsonrpc.ParseEnvelope(&doc); e.HasJSONRPC || e.Method != "" {
		return e.ID.String()
	}
	return ""
}

// headerSecrets returns the credentials in headers, whole and without the scheme
// before them.
func headerSecrets(m *masker, h http.Header) []string {
	var secrets []string
	for name, values := range h {
		for _, v := range values {
			if m.secretHeader(name) && !strings.Contains(v, Mask) {
				secrets = append(secrets, headerValues(name, v)...)
			}
		}
	}
	return secrets
}

// forRaw returns the gate for a request that a user wrote. One without secrets may go anywhere;
// secrets that are not the client's go to the origin of the request, and nowhere else.
func (g gate) forRaw(rawURL string, secret bool) gate {
	switch {
	case !secret:
		return gate{allowed: g.allowed} // for a redirect
	case g.armed:
		return g
	}
	origin := Origin(rawURL)
	return gate{armed: true, userOrigin: ShownOrigin(rawURL), allowed: map[string]bool{origin: true}}
}
