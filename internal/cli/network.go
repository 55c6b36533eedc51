package cli

import (
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/a2a/mesh"
	"parley/a2a/servertrust"
	"parley/a2a/socks"
	"parley/internal/signin"
)

// network holds the flags about connections and credentials.
type network struct {
	bearer, apiKey string
	params         []string // name:value or public:name:value, sent with every request
	public         []string // names of headers and query parameters whose values are public
	members        []string // names of JSON members whose values are secrets besides the default ones; !name removes one
	origins        []string // additional origins that credentials may go to
	extensions     []string // URIs, requested by every request
	insecure       bool
	insecureHosts  []string
	fingerprints   []string // HOST=FINGERPRINT
	servers        servertrust.Trust
	trace          bool    // every request carries a traceparent
	tracer         *tracer // makes them
	limits         a2a.Limits
	helper         *tokenCommand // prints the bearer token if bearer is empty; may be nil
	tokenStore     string        // where the secrets of identities are
	keyring        signin.Keyring
	keeper         *signin.Keeper
	signIn         *signin.Client // signs in with the keeper
	// cacert, cert and key are files, and certificates their content.
	cacert, cert, key string
	certificates      certificates
	// dialect, endpoint and tenant are pins: detection does not override them.
	dialect, endpoint, tenant string
	// mqttUser to allowPlain are the settings of brokers of a Solace Agent Mesh, and hub has the
	// connections to them.
	mqttUser, mqttPassword, mqttClientID, meshUser string
	allowPlain                                     bool
	meshInterval, meshGone                         time.Duration
	artifactGateway                                string // URL of an HTTP gateway of the mesh
	hub                                            *mesh.Hub
	// fromFlags are the flags that the command line itself has.
	fromFlags map[string]bool
}

func (n *network) flags(f *pflag.FlagSet) {
	f.StringVar(&n.bearer, "bearer", "", "send this bearer `token`; visible in the process table and the shell's history, unlike A2ACLI_BEARER")
	f.StringVar(&n.apiKey, "api-key", "", "send this API `key` as the card requires; visible to others, unlike A2ACLI_API_KEY")
	f.StringArrayVar(&n.params, "svc-param", nil, "send a service parameter with every request, `name:value`; it is a secret unless written public:name:value; repeatable")
	f.StringArrayVar(&n.public, "public", nil, "declare the values of this header or query parameter public, a `name`; repeatable")
	f.StringArrayVar(&n.members, "mask-member", nil, "also mask the values of JSON members with this `name`, anywhere in a body; !name removes a default one; repeatable")
	f.StringArrayVar(&n.extensions, "extension", nil, "request this protocol extension with every request, a `URI`; repeatable")
	f.BoolVar(&n.trace, "trace", false, "send a traceparent (W3C Trace Context) with every request: one trace for each turn")
	f.StringArrayVar(&n.origins, "allow-origin", nil, "allow credentials and redirects to this `origin` too; repeatable")
	f.StringVar(&n.dialect, "dialect", "", "speak this `dialect` whatever the card says: v1.0, v1.0-rest, v1.0-grpc, v0.3, v0.3-rest, v0.3-grpc, v0.2, v0.1, sam-broker, sam-http or sam-doc")
	f.StringVar(&n.endpoint, "endpoint", "", "send to this `URL` whatever the card says, or without a card; it counts as named, so credentials may go there")
	f.StringVar(&n.tenant, "tenant", "", "name this `tenant` in every call whatever the card says")
	f.StringVar(&n.mqttUser, "mqtt-user", "", "the `name` of the user on the broker of a mesh")
	f.StringVar(&n.mqttPassword, "mqtt-password", "", "the `password` of --mqtt-user; visible in the process table and the shell's history, unlike PARLEY_MQTT_PASSWORD")
	f.StringVar(&n.mqttClientID, "mqtt-client-id", "", "take part in a mesh under this `id`, which no other program may use (default: the host and a random number)")
	f.StringVar(&n.meshUser, "mesh-user", "", "let agents of a mesh keep sessions and files under this `name` (default: --mqtt-user)")
	f.DurationVar(&n.meshInterval, "mesh-interval", defaultMeshInterval, "expect agents of a mesh to announce themselves this often, until it is seen")
	f.DurationVar(&n.meshGone, "mesh-gone", defaultMeshGone, "after this time without an announcement an agent of a mesh is gone")
	f.BoolVar(&n.allowPlain, "mqtt-plain", false, "send the password of the broker without encryption to other machines, too")
	f.StringVar(&n.artifactGateway, "artifact-gateway", "", "download artifact:// files of a mesh from the HTTP gateway at this `URL`; credentials may go there")
	n.storeFlag(f)
	limitFlags(f, &n.limits, networkLimits()...)
	f.StringVar(&n.cacert, "cacert", "", "also trust the authorities in this PEM `FILE`, for every https connection")
	f.StringVar(&n.cert, "cert", "", "present the client certificate in this PEM `FILE` to the origins that you name")
	f.StringVar(&n.key, "key", "", "the key of --cert, a PEM `FILE` (default: the certificate's file)")
	f.BoolVar(&n.insecure, "insecure", false, "accept any TLS certificate of any host (development only; default: certificates are verified)")
	f.StringArrayVar(&n.insecureHosts, "insecure-host", nil, "accept any TLS certificate of this `host` alone; repeatable")
	f.StringArrayVar(&n.fingerprints, "tls-fingerprint", nil, "expect this certificate of a host, `HOST=FINGERPRINT`: sha256:HEX of the certificate, or sha256//BASE64 of its public key; repeatable")
}

// defaultMeshInterval is how often the templates of a mesh have agents announce themselves, and
// defaultMeshGone after how long the mesh itself forgets one that does not.
const defaultMeshInterval, defaultMeshGone = 10 * time.Second, time.Minute

// check refuses invalid service parameters, without repeating them.
func (n *network) check() error {
	for _, p := range n.params {
		if why := checkParam(p); why != "" {
			return usage("A value of --svc-param is %s.", why)
		}
	}
	for _, name := range n.public {
		if why := unfitPublic(name); why != "" {
			return usage("A value of --public is %s.", why)
		}
	}
	for _, uri := range n.extensions {
		if why := a2a.CheckExtension(uri); why != "" {
			return usage("A value of --extension cannot be requested: %s.", why)
		}
	}
	if len(n.extensions) > a2a.MaxExtensions {
		return usage("At most %d extensions can be requested, but --extension names %d.", a2a.MaxExtensions, len(n.extensions))
	}
	for _, o := range n.origins {
		if strings.Contains(o, "://") && a2a.Origin(o) == "" {
			return usage("A value of --allow-origin is not an origin such as https://agent.example.")
		}
	}
	if _, _, ok := a2a.ParseDialect(n.dialect); n.dialect != "" && !ok {
		return usage("The value of --dialect is not one of v1.0, v1.0-rest, v1.0-grpc, v0.3, v0.3-rest, v0.3-grpc, v0.2, v0.1, sam-broker, sam-http and sam-doc.")
	}
	if n.endpoint != "" && a2a.Origin(n.endpoint) == "" {
		return usage("The value of --endpoint is not an http, https, grpc, grpcs, mqtt, mqtts, ws or wss URL.")
	}
	if g := n.artifactGateway; g != "" && (a2a.Origin(g) == "" || !strings.HasPrefix(g, "http")) {
		return usage("The value of --artifact-gateway is not an http or https URL.")
	}
	if bad := a2a.BadTopicPart(n.mqttClientID, false); bad != "" {
		return usage("The value of --mqtt-client-id cannot be part of a topic: it contains %s.", bad)
	}
	if n.meshInterval <= 0 || n.meshGone < n.meshInterval {
		return usage("The value of --mesh-interval must be greater than 0, and that of --mesh-gone not smaller.")
	}
	servers, err := readServerTrust(n.insecure, n.insecureHosts, n.fingerprints)
	if err != nil {
		return err
	}
	n.servers = servers
	certificates, err := loadCertificates(n.cacert, n.cert, n.key)
	if err != nil {
		return usage("%s.", sentence(err.Error()))
	}
	n.certificates = certificates
	return nil
}

// pins returns the flags' pins.
func (n *network) pins() a2a.Pins {
	dialect, binding, _ := a2a.ParseDialect(n.dialect)
	return a2a.Pins{Dialect: dialect, Binding: binding, Endpoint: n.endpoint, Tenant: n.tenant}
}

// client returns the options of a client for the agent named by ref.
func (n *network) client(ref string) a2a.Options {
	o := a2a.Options{
		Bearer: n.bearer, APIKey: n.apiKey,
		UserAddresses: []string{ref}, AllowOrigins: n.origins,
		Public: n.public, SecretMembers: n.members,
		Servers: n.servers, UserAgent: "parley/" + version,
		Extensions: n.extensions,
		Proxy:      http.ProxyFromEnvironment,
		Socks:      socks.Dial,
		Pins:       n.pins(),
		Limits:     n.limits,
		MeshListen: n.meshInterval * 3 / 2, // every agent has announced itself by then
		RootCAs:    n.certificates.roots, Certificates: n.certificates.own,
		Carriers:  map[a2a.Binding]a2a.Carrier{a2a.BindingGRPC: grpc.New()},
		Passwords: []string{n.mqttPassword}, ArtifactGateway: n.artifactGateway,
	}
	if n.hub != nil {
		o.Carriers[a2a.BindingMQTT] = n.hub.Carrier(mesh.Settings{
			ClientID: n.mqttClientID, User: n.mqttUser, Password: n.mqttPassword, AllowPlain: n.allowPlain, MeshUser: n.meshUser,
			Interval: n.meshInterval, Gone: n.meshGone,
		})
	}
	if n.trace && n.tracer != nil {
		o.TraceParent = n.tracer.parent
	}
	if n.helper != nil && n.bearer == "" {
		o.BearerFrom = n.helper.give
	}
	for _, p := range n.params {
		if h, ok := param(p); ok {
			o.Headers = append(o.Headers, h)
		}
	}
	n.identify(&o, ref)
	return o
}

// credentials reports whether anything that is sent is a secret.
func (n *network) credentials() bool {
	for _, p := range n.params {
		if h, ok := param(p); ok && n.secret(h) {
			return true
		}
	}
	return n.mqttPassword != "" || n.bearer != "" || n.apiKey != "" || n.helper != nil
}

// newHub returns the connections to the brokers of meshes.
func newHub() *mesh.Hub {
	host, _ := os.Hostname() // without one, the random number is enough
	return mesh.NewHub(gatewayID(host, newID()), mesh.Times{})
}

// gatewayID returns an id under which this run of the program takes part in a mesh: others on the
// broker see whose it is, and no other run has it.
func gatewayID(host, random string) string {
	host = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, strings.ToLower(host))
	return "parley-" + host[:min(len(host), 24)] + "-" + random[:min(len(random), 8)]
}
