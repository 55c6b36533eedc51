package a2a

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"parley/a2a/coding"
	"parley/a2a/servertrust"
)

// Options say how to reach an agent and with which credentials.
type Options struct {
	// Bearer is sent as "Authorization: Bearer …" unless the card declares schemes and none of
	// them takes it. With a request for the card itself it goes only if the server asks for it,
	// or if Card declares its scheme. APIKey is sent where the card's apiKey scheme wants it,
	// and nowhere else.
	Bearer, APIKey string
	// KeyIn and KeyName are where APIKey goes, if not where the card wants one: header, query or
	// cookie, and the name there.
	KeyIn, KeyName string
	// BearerFrom gives the bearer token if Bearer is empty. It is called before every request
	// that may carry one, and again with the token that the agent refused with a 401. Its error
	// is a clause without secrets. Nil gives none.
	BearerFrom func(ctx context.Context, refused string) (string, error)
	// Card is what was known of the agent before, for requests that are made without a
	// client; nil if nothing was.
	Card *Card
	// Headers are sent with every request. Their values are credentials unless they are
	// declared public, each by itself or its name in Public.
	Headers []HeaderPair
	// Public are names of headers and query parameters whose values are no secrets.
	Public PublicNames
	// SecretMembers are names of JSON members whose values are masked wherever they stand
	// in a body, besides the usual ones (password, client_secret, access_token …). They
	// match whole; "!name" takes a usual one out.
	SecretMembers []string
	// Extensions are the URIs of extensions that are added to every request that does not list
	// its own.
	Extensions []string
	// UserAddresses is what the user typed to name the agent: origins, URLs or hosts.
	// AllowOrigins are the origins that the user allowed in addition. Credentials go to no other
	// origins.
	UserAddresses, AllowOrigins []string
	// CardOrigin is the origin from which the card came if the user did not name it, empty otherwise.
	CardOrigin string

	// Secrets are masked wherever they come back. Clients that share a set know every secret of
	// it; nil gives the client a set of its own.
	Secrets *Secrets

	// Previous is what an earlier discovery found: a card that has not changed since is
	// not sent again.
	Previous *Discovery
	// Everywhere continues the search for a card at other addresses when one answers that it
	// requires credentials: some servers answer so for every path that does not exist.
	Everywhere bool
	// Pins are what the user decided whatever the card says.
	Pins Pins
	// WholeMesh has the address of a mesh that names no agent stand for all of them: the first one
	// that announces itself is found, and the caller opens the others. Otherwise such an address is
	// refused with the names of those that announce themselves within MeshListen, or within the
	// time for a card if that is 0 or longer.
	WholeMesh  bool
	MeshListen time.Duration

	// Servers says how certificates of servers are verified besides their chains.
	Servers servertrust.Trust
	// RootCAs are the authorities that are trusted, nil for the system's. Certificates are
	// shown to the origins that the user named or allowed, where they are asked for.
	RootCAs        *x509.CertPool
	Certificates   []tls.Certificate
	ConnectTimeout time.Duration // of dial and TLS handshake; 0 is ten seconds
	// AnswerTimeout bounds calls that are not streams; 0 waits, since an agent
	// may work for hours before it answers.
	AnswerTimeout time.Duration
	UserAgent     string // empty is "parley"
	// Proxy chooses a proxy for a request, as in http.Transport; nil uses none.
	Proxy func(*http.Request) (*url.URL, error)
	// TraceParent returns the trace context of a request (W3C Trace Context, traceparent), which is
	// sent with it unless the user sets the header; empty sends none. It is called for every
	// request to the agent, but not for a file elsewhere or a request written by hand. Nil sends
	// none.
	TraceParent func(*Call) string
	// Socks connects carriers through proxies of SOCKS 5, as net/http does for requests over
	// HTTP; nil refuses.
	Socks SocksFunc
	// Dial replaces the dialer of connections, nil uses the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Codings decode answers in content codings that the standard library has not, such
	// as br. None is ever asked for.
	Codings coding.Codings

	// Limits are how many bytes are taken of what an agent sends.
	Limits Limits

	// Carriers carry the bindings that are not requests of net/http. A binding without one
	// cannot be used.
	Carriers map[Binding]Carrier

	// ArtifactGateway is the URL of an HTTP gateway of a Solace Agent Mesh. On a broker it alone
	// gives the files behind artifact:// URIs. The user named it, so credentials may go there.
	ArtifactGateway string
	// Passwords are secrets of connections, which carriers know. They are masked.
	Passwords []string

	Heard *Heard        // the addresses that have answered in A2A to the clients that share it; nil is a new one
	Stdin io.Reader     // what the reference "-" reads
	Trace Trace         // required
	NewID func() string // makes JSON-RPC ids; required for calls
}

// A HeaderPair is one header line.
type HeaderPair struct {
	Name, Value string
	Public      bool // the user declared that the value is no secret
	// Reserved is set for an API key that the user did not name as a header: with a request for a
	// card it goes only if a card or the server asks for one.
	Reserved bool
	// Pinned is set for a header of this one agent, which is sent whatever its card declares.
	Pinned bool
}

// A Client performs operations with one agent. It is safe for use by many
// goroutines at once.
type Client struct {
	profile Profile
	binding binding
	problem string // why no call can be made, empty if calls can
	wire    *wire
	options Options
	card    *Card // nil if none is known
}

// NewClient returns a client that speaks as the profile says. The card, which may
// be nil, says where an API key goes, and which agent is meant behind a gateway.
func NewClient(p Profile, card *Card, o Options) *Client {
	if p.Agent == "" && card != nil {
		p.Agent = card.Name
	}
	c := &Client{profile: p, wire: newWire(&o, card), options: o, card: card}
	c.wire.profile = &c.profile
	if c.profile.Endpoint, c.problem = c.wire.restoredURL("address of the agent", p.Endpoint); c.problem != "" {
		return c
	}
	if c.binding, c.problem = bindingFor(c.profile); c.problem == "" {
		c.binding, c.problem = carriedBy(c.binding, c.wire)
	}
	if b, ok := c.binding.(meshBinding); ok {
		b.plain = card == nil || card.Capabilities.Streaming != True
		c.binding = b
	}
	return c
}

// Close drops idle connections. Calls under way are not disturbed.
func (c *Client) Close() { c.wire.close() }

// Authenticated reports whether credentials go with the requests, where they may.
func (c *Client) Authenticated() bool { return c.wire.creds.set(c.wire.mask) }

// Cautions returns warnings for the user to read before a message is sent, as in
// [Profile.Cautions]. Origin is that of the card, empty for a file.
func (c *Client) Cautions(origin string) []string {
	list := slices.Clone(c.wire.creds.withheld)
	if c.wire.creds.common {
		list = append(list, "a credential is a common word of the protocol: it is masked where it is sent, and visible where the agent writes the word")
	}
	g := &c.wire.gate
	to, err := url.Parse(c.profile.Endpoint)
	if err != nil || origin == "" || originOf(to) == "" || originOf(to) == origin || isSamePort(to, origin) || g.armed || g.allowed[originOf(to)] {
		return list // there is nothing to say, or the first message says it
	}
	if opened, _ := g.encrypted(to); opened != "" {
		return list // the first message says it
	}
	remedy := "it has no TLS, so check that you mean it, or give an address with https with --endpoint"
	if g.allowable(to) {
		remedy = "confirm it with --allow-origin " + shownOrigin(to)
	}
	return append(list, fmt.Sprintf("the card comes from %s, but messages go to another origin, %s: %s", c.asNamed(origin), shownOrigin(to), remedy))
}

// asNamed returns an origin as the user named it.
func (c *Client) asNamed(origin string) string {
	for _, named := range c.options.UserAddresses {
		if Origin(named) == origin {
			return ShownOrigin(named)
		}
	}
	return origin
}

// Do performs one operation and returns when its exchange is over; cancel ctx to end it sooner.
// All that crossed the wire has been put to the trace when Do returns; a call that cannot be
// encoded puts nothing and its Answer has no Exchange.
func (c *Client) Do(ctx context.Context, req Request, hooks Hooks) Answer {
	if c.problem != "" {
		return unsent(ClassUnsupported, asSentence(c.problem), nil)
	}
	call := c.call(&req)
	req.Call = &call
	c.fillIn(&req)
	req, problem := c.restored(req)
	if problem != "" {
		return unsent(ClassUnsupported, problem, nil)
	}
	id := c.options.NewID()
	binding, problem := c.bindingOf(&call)
	if problem != "" {
		return unsent(ClassUnsupported, problem, nil)
	}
	out, err := binding.encode(req, id)
	if err != nil {
		return unsent(ClassUnsupported, asSentence(err.Error()), err)
	}
	out.resume(req.LastEventID)
	ctx, cancel := c.withTimeout(ctx, call.Op)
	defer cancel()
	x := c.wire.exchange(call, hooks)
	x.next = func(sent outgoingRequest, o *Answer) (*outgoingRequest, string) {
		if follow, why, ok := binding.next(&req, sent, o); ok {
			return &follow, why
		}
		return nil, ""
	}
	x.mask.know(pushSecrets(&req)...)
	if x.secret = req.Secret && req.Message != nil; x.secret {
		x.mask.vault.Confide(req.Message)
	}
	x.mask.vault.Add(req.Secrets...)
	if x.secret || len(req.Secrets) > 0 {
		x.wire = c.wire.forSecret(out.url)
	}
	if call.Op == OpExtendedCard {
		x.wire = x.wire.withinCard(c.card)
	}
	return x.perform(ctx, out, byCard)
}

// bindingOf returns the binding for a call: files of a mesh come from its HTTP gateway.
func (c *Client) bindingOf(call *Call) (b binding, problem string) {
	if _, mesh := c.binding.(meshBinding); !mesh || call.Op != OpArtifact {
		return c.binding, ""
	}
	if c.options.ArtifactGateway == "" {
		return nil, "A broker does not give files: name an HTTP gateway of the mesh with --artifact-gateway."
	}
	call.Dialect, call.Binding = SAMHTTP, BindingREST
	call.Endpoint, _ = c.wire.mask.url(c.options.ArtifactGateway)
	return samBinding{dialect: &dialectSAMHTTP, base: strings.TrimRight(c.options.ArtifactGateway, "/")}, ""
}

// fillIn completes a request with the client's defaults.
func (c *Client) fillIn(req *Request) {
	req.Tenant = cmp.Or(req.Tenant, c.profile.Tenant)
	if req.Extensions == nil {
		req.Extensions = c.options.Extensions
	}
}

// withTimeout limits how long an operation that is no stream may take.
func (c *Client) withTimeout(ctx context.Context, op Op) (context.Context, context.CancelFunc) {
	if c.options.AnswerTimeout <= 0 || op == OpStream || op == OpSubscribe {
		return ctx, func() {}
	}
	late := &timeoutError{after: c.options.AnswerTimeout}
	return context.WithTimeoutCause(ctx, c.options.AnswerTimeout, late)
}

// call completes the local description of a request.
func (c *Client) call(req *Request) Call {
	var call Call
	if req.Call != nil {
		call = *req.Call
	}
	call.Dialect, call.Binding = c.profile.Dialect, c.profile.Binding
	call.Endpoint, _ = c.wire.mask.url(c.profile.Endpoint)
	call.URI, _ = c.wire.mask.url(req.URI)
	call.TaskID = cmp.Or(call.TaskID, req.taskID())
	return call
}

// pushSecrets returns the secrets of the webhook that a request registers.
func pushSecrets(req *Request) []string {
	var secrets []string
	for _, p := range []*PushConfig{req.Config.Push, req.Push} {
		if p != nil {
			secrets = append(secrets, p.Token, p.Credentials)
		}
	}
	return secrets
}

// unsent is the outcome of a call that was never sent.
func unsent(class, sentence string, cause error) Answer {
	end := End{Reason: Refused, Class: class, Sentence: sentence}
	return Answer{End: end, Err: &TransportError{End: end, Cause: cause}}
}

// A wire holds the connections and credentials for one agent, and the rule that says where the
// credentials may go.
type wire struct {
	transport *http.Transport
	dialer    *dialer
	trace     Trace
	mask      *masker
	gate      gate
	creds     credentials
	userAgent string
	parent    func(*Call) string // of the trace of a request
	codings   coding.Codings
	limits    Limits
	lines     map[Binding]Line   // of carriers
	formats   map[Binding]Format // nil values for messages in JSON
	card      *Card              // of the agent, nil if there is none
	heard     *Heard             // the addresses that have answered in A2A
	profile   *Profile           // of the client, nil for a search
	reserve   *wire              // has the credentials that are kept back until a server asks for them; nil if none are
}

func newWire(o *Options, card *Card) *wire {
	creds := newCredentials(o, card)
	if o.Secrets == nil {
		o.Secrets = &Secrets{}
	}
	transport, dialer := newTransport(o)
	mask := creds.masker(o)
	w := &wire{transport: transport, dialer: dialer, trace: o.Trace, mask: mask, creds: creds, userAgent: cmp.Or(o.UserAgent, "parley"), parent: o.TraceParent, codings: o.Codings, limits: o.Limits, card: card, heard: cmp.Or(o.Heard, &Heard{})}
	w.gate = newGate(o, creds.set(w.mask))
	dialer.allowedOrigins = w.gate.allowed
	w.connect(o)
	return w
}

// forSecret returns a wire for a request that holds a secret: it follows no redirect to another
// origin.
func (w *wire) forSecret(rawURL string) *wire {
	confined := *w
	confined.gate = w.gate.forSecret(rawURL)
	return &confined
}

func (w *wire) close() {
	w.transport.CloseIdleConnections()
	for _, line := range w.lines {
		line.Close()
	}
}

// maxHead is how many bytes of a response head are read and kept.
const maxHead = 4 << 20

// newTransport returns a transport that leaves bodies alone and streams open: no
// compression, no limit on the time of an answer.
func newTransport(o *Options) (*http.Transport, *dialer) {
	timeout := o.ConnectTimeout
	if timeout <= 0 {
		timeout = 10 * time.Second
	}
	dial := o.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: timeout, KeepAlive: 30 * time.Second}).DialContext
	}
	d := &dialer{dial: dial, timeout: timeout, proxy: o.Proxy, socks: o.Socks,
		certificates: o.Certificates, servers: o.Servers,
		tls: &tls.Config{InsecureSkipVerify: o.Servers.Insecure, RootCAs: o.RootCAs}} //nolint:gosec // the user said --insecure
	t := &http.Transport{
		// Node and uvicorn close idle connections after five seconds. A request that meets the
		// close is lost, and a message must not be sent twice.
		IdleConnTimeout: 3 * time.Second,

		TLSClientConfig:        d.tls.Clone(), // of connections through proxies that the dialer does not handle; net/http changes it
		TLSHandshakeTimeout:    timeout,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
		MaxResponseHeaderBytes: maxHead,
		ReadBufferSize:         64 << 10,
	}
	d.install(t)
	return t, d
}

// rpcIDText returns a JSON-RPC id as it stands in JSON.
func rpcIDText(id string) string {
	text, _ := json.Marshal(id) // a string always encodes
	return string(text)
}
