package a2a

import "encoding/json"

// A Card describes an agent (specification 1.0 §4.4). It is the union of the cards of all
// dialects; Unknown holds what no dialect defines.
type Card struct {
	Name, Description, Version string
	// ProtocolVersion is the top-level member of dialects 0.2.5 to 0.3.
	ProtocolVersion string
	Interfaces      []Interface // in the card's order, the preferred one first
	Provider        *Provider
	DocumentationURL,
	IconURL string
	Capabilities       Capabilities
	SecuritySchemes    []SecurityScheme
	Security           []SecurityRequirement // alternatives
	DefaultInputModes  []string
	DefaultOutputModes []string
	Skills             []Skill
	Signatures         []Signature
	Dual               bool // carries 0.3 and 1.0 members side by side
	SnakeCase          bool // member names were snake_case and have been folded
	// SourceURL is where the card came from after redirects, or a file name.
	SourceURL string
	Unknown   []Member
	Raw       json.RawMessage

	display string // see [Card.DisplayName]
}

// A Member is a JSON member that no dialect defines.
type Member struct {
	Pointer string
	Name    string
	Value   json.RawMessage
}

// Provider is who offers the agent.
type Provider struct{ Organization, URL string }

// InterfaceOrigin says which member of the card declared an interface.
type InterfaceOrigin string

// The origins.
const (
	FromURL        InterfaceOrigin = "url"
	FromAdditional InterfaceOrigin = "additionalInterfaces"
	FromSupported  InterfaceOrigin = "supportedInterfaces"
)

// An Interface is one endpoint that a card declares.
type Interface struct {
	URL         string // resolved
	DeclaredURL string // as it stood in the card
	Binding     Binding
	BindingWord string // as it stood in the card
	Version     string // protocol version of this interface
	Tenant      string
	Origin      InterfaceOrigin
}

// Binding is how operations map to a transport.
type Binding string

// The bindings. BindingOther is a custom one, named by a URI.
const (
	BindingJSONRPC Binding = "JSONRPC"
	BindingREST    Binding = "HTTP+JSON"
	BindingGRPC    Binding = "GRPC"
	BindingMQTT    Binding = "MQTT" // JSON-RPC through a broker of a Solace Agent Mesh
	BindingOther   Binding = "other"
)

// String returns the binding as screens show it.
func (b Binding) String() string {
	switch b {
	case BindingJSONRPC:
		return "JSON-RPC"
	case BindingGRPC:
		return "gRPC"
	default:
		return string(b)
	}
}

// Capabilities are what a card declares; absent is not false.
type Capabilities struct {
	Streaming, PushNotifications, StateTransitionHistory, ExtendedAgentCard Tri
	Extensions                                                              []Extension
}

// An Extension is a declared protocol extension.
type Extension struct {
	URI         string          `json:"uri"`
	Description string          `json:"description,omitempty"`
	Required    bool            `json:"required,omitempty"`
	Params      json.RawMessage `json:"params,omitempty"`
}

// A SecurityScheme is one way to authenticate, over all dialects.
type SecurityScheme struct {
	Key         string // its name in the card
	Type        string // apiKey, http, oauth2, openIdConnect, mutualTLS, legacy (0.1), unknown
	Description string
	In, Name    string // apiKey: header, query or cookie, and the parameter's name
	Scheme      string // http: Bearer, Basic …
	BearerFormat,
	OpenIDConnectURL,
	OAuth2MetadataURL string
	Flows []OAuthFlow
	// Credentials is the 0.1 authentication.credentials text; CredentialsJSON
	// is set when that text is JSON.
	Credentials     string
	CredentialsJSON json.RawMessage
	Raw             json.RawMessage
}

// An OAuthFlow is one flow of an oauth2 scheme.
type OAuthFlow struct {
	Type                                                           string // authorizationCode, clientCredentials, deviceCode, implicit, password
	AuthorizationURL, TokenURL, RefreshURL, DeviceAuthorizationURL string
	PKCERequired                                                   bool
	Scopes                                                         []Scope
}

// A Scope is a scope of an OAuth flow.
type Scope struct{ Name, Description string }

// A SecurityRequirement is satisfied when all its schemes are.
type SecurityRequirement []SchemeScopes

// SchemeScopes names a scheme and the scopes it needs.
type SchemeScopes struct {
	Scheme string
	Scopes []string
}

// A Skill is one thing the agent can do.
type Skill struct {
	ID, Name, Description   string
	Tags                    []string
	Examples                []Example
	InputModes, OutputModes []string
	Security                []SecurityRequirement
	Unknown                 []Member
}

// An Example is a prompt that a skill offers. One that is a JSON object or
// array, or JSON in a string, has Data set and is sent as a data part.
type Example struct {
	Text string
	Data json.RawMessage
}

// A Signature is a JWS over the card (specification 0.3 §5.5.6, 1.0 §8.4).
type Signature struct {
	Protected string          `json:"protected"`
	Signature string          `json:"signature"`
	Header    json.RawMessage `json:"header,omitempty"`
}
