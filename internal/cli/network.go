package cli

import (
	"net/http"
	"strings"

	"github.com/spf13/pflag"

	"parley/a2a"
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
	limits         a2a.Limits
	helper         *tokenCommand // prints the bearer token if bearer is empty; may be nil
	// cacert, cert and key are files, and certificates their content.
	cacert, cert, key string
	certificates      certificates
	// dialect, endpoint and tenant are pins: detection does not override them.
	dialect, endpoint, tenant string
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
	f.StringArrayVar(&n.origins, "allow-origin", nil, "allow credentials for this `origin` too; repeatable")
	f.StringVar(&n.dialect, "dialect", "", "speak this `dialect` whatever the card says: v1.0, v1.0-rest, v0.3, v0.3-rest, v0.2, v0.1, sam-http or sam-doc")
	f.StringVar(&n.endpoint, "endpoint", "", "send to this `URL` whatever the card says, or without a card; it counts as named, so credentials may go there")
	f.StringVar(&n.tenant, "tenant", "", "name this `tenant` in every call whatever the card says")
	limitFlags(f, &n.limits, networkLimits()...)
	f.StringVar(&n.cacert, "cacert", "", "also trust the authorities in this PEM `FILE`, for every https connection")
	f.StringVar(&n.cert, "cert", "", "present the client certificate in this PEM `FILE` to the origins that you name")
	f.StringVar(&n.key, "key", "", "the key of --cert, a PEM `FILE` (default: the certificate's file)")
	f.BoolVar(&n.insecure, "insecure", false, "accept any TLS certificate (development only; default: certificates are verified)")
}

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
		return usage("The value of --dialect is not one of v1.0, v1.0-rest, v0.3, v0.3-rest, v0.2, v0.1, sam-http and sam-doc.")
	}
	if n.endpoint != "" && a2a.Origin(n.endpoint) == "" {
		return usage("The value of --endpoint is not an http or https URL.")
	}
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
		Servers: a2a.ServerTrust{Insecure: n.insecure}, UserAgent: "parley/" + version,
		Extensions: n.extensions,
		Proxy:      http.ProxyFromEnvironment,
		Pins:       n.pins(),
		Limits:     n.limits,
		RootCAs:    n.certificates.roots, Certificates: n.certificates.own,
	}
	if n.helper != nil && n.bearer == "" {
		o.BearerFrom = n.helper.give
	}
	for _, p := range n.params {
		if h, ok := param(p); ok {
			o.Headers = append(o.Headers, h)
		}
	}
	return o
}

// credentials reports whether anything that is sent is a secret.
func (n *network) credentials() bool {
	for _, p := range n.params {
		if h, ok := param(p); ok && n.secret(h) {
			return true
		}
	}
	return n.bearer != "" || n.apiKey != "" || n.helper != nil
}
