package lint

import (
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// cardRules are about agent cards. The dialect is the one that the card is written in; a card
// with members of both 0.3 and 1.0 counts as 1.0.
var cardRules = [...]rule{
	{
		id: "CARD-001", severity: a2a.Error, in: anywhere, section: "0.1 §5.5, 0.2 §5.5, 0.3 §5.5, 1.0 §4.4.1",
		checks: "The card has the members that its version requires, and each member has the correct type", fix: "Write the members with the types of the specification",
		at: atCard, run: cardMembers,
	},
	{
		id: "CARD-002", severity: a2a.Warning, in: since03, section: "0.3 §5.3, 1.0 §8.2, §14.3",
		checks: "The card is served at the well-known path of its version", fix: "Serve the card at /.well-known/agent-card.json",
		at: atCard, run: cardPath,
	},
	{
		id: "CARD-003", severity: a2a.Error, in: anywhere, section: "0.1 §5.5, 0.3 §5.5, 1.0 §4.4.6",
		checks: "The URLs of endpoints are absolute http(s) URLs, and those of gRPC have a host and a port", fix: "Declare an absolute http(s) URL",
		at: atCard, run: endpointURLs,
	},
	{
		id: "CARD-004", severity: a2a.Error, in: anywhere, section: "0.1 §5.5, 0.3 §4.1, 1.0 §4.4.6, §7.1",
		checks: "Endpoints are https unless they are local", fix: "Declare an https URL",
		at: atCard, run: endpointsEncrypted,
	},
	{
		id: "CARD-005", severity: a2a.Error, in: onV03 | onUnknown, section: "0.2.5 §5.5, 0.3 §5.5",
		checks: "“protocolVersion” exists, is a string and names a version of A2A", fix: "Set “protocolVersion” to the version that the agent speaks",
		at: atCard, run: protocolVersion,
	},
	{
		id: "CARD-006", severity: a2a.Warning, in: anywhere,
		checks: "No endpoint has a host that only another network knows: a wildcard, a loopback or private one, or the name of a container", fix: "Declare the public host",
		at: atCard, run: endpointHosts,
	},
	{
		id: "CARD-007", severity: a2a.Warning, in: anywhere,
		checks: "No endpoint is the path of an operation or of the card", fix: "Declare the base of the endpoint",
		at: atCard, run: endpointPaths,
	},
	{
		id: "CARD-008", severity: a2a.Warning, in: onV03, section: "0.3 §5.6.1",
		checks: "“preferredTransport” exists", fix: "Set “preferredTransport”: one SDK drops the main URL without it",
		at: atCard, run: preferredTransport,
	},
	{
		id: "CARD-009", severity: a2a.Error, in: anywhere, section: "0.3 §5.6.4",
		checks: "No URL is declared for several transports", fix: "Give each transport its own URL",
		at: atCard, run: urlConflicts,
	},
	{
		// The specification says SHOULD.
		id: "CARD-010", severity: a2a.Info, in: onV03, section: "0.3 §5.6.2, §5.6.4",
		checks: "“additionalInterfaces” repeats the main URL with its transport", fix: "Add the main URL to the interfaces",
		at: atCard, run: mainInterfaceListed,
	},
	{
		id: "CARD-011", severity: a2a.Error, in: v10, section: "1.0 §3.6, §4.4.6",
		checks: "Each interface has url, protocolBinding and protocolVersion, which is Major.Minor", fix: "Declare all three, the version as “1.0”",
		at: atCard, run: interfaceMembers,
	},
	{
		id: "CARD-012", severity: a2a.Error, in: anywhere, section: "0.3 §5.6.4, 1.0 §5.8, §8.3.1",
		checks: "At least one interface has a released binding and version", fix: "Declare an interface that clients can use",
		at: atCard, run: someInterface,
	},
	{
		id: "CARD-013", severity: a2a.Warning, in: v10, section: "1.0 A.2",
		checks: "A card of 1.0 has no members of earlier versions, unless it is a card of both", fix: "Omit the old members, or add all of them for older clients",
		at: atCard, run: oldMembers,
	},
	{
		id: "CARD-014", severity: a2a.Warning, in: anywhere, section: "0.3 §5.5.3, 1.0 §4.5",
		checks: "Security requirements name declared schemes", fix: "Declare the scheme, or correct its name",
		at: atCard, run: requirementsDeclared,
	},
	{
		id: "CARD-015", severity: a2a.Error, in: anywhere, section: "0.1 §5.4, 0.3 §5.4",
		checks: "The card contains no secrets", fix: "Remove the secret from the card, and replace it by a new one",
		at: atCard, run: cardSecrets,
	},
	{
		id: "CARD-016", severity: a2a.Warning, in: anywhere, section: "0.1 §5.5, 0.3 §5.5, 1.0 §5.7",
		checks: "The card has a skill, and no two skills have the same id", fix: "Describe what the agent can do, and give each skill its own id",
		at: atCard, run: skillIDs,
	},
	{
		id: "CARD-017", severity: a2a.Info, in: anywhere, section: "0.1 §5.5, 0.3 §5.5, 1.0 §4.4.1",
		checks: "Modes are media types", fix: "Write text/plain instead of text, and so on",
		at: atCard, run: modesAreMediaTypes,
	},
	{
		id: "CARD-018", severity: a2a.Warning, in: since03, section: "0.3 §5.5.6, 1.0 §8.4.2",
		checks: "Signatures are base64url, and their header names alg and kid", fix: "Sign the card as JWS in RFC 7515",
		at: atCard, run: signatures,
	},
	{
		id: "CARD-019", severity: a2a.Error, in: knownDialects, section: "1.0 §3.3.4",
		checks: "Streaming works if and only if the card declares it", fix: "Declare in the card what the agent supports",
		at: atHead | atError | atEvent, run: declaredStreaming,
	},
	{
		id: "CARD-020", severity: a2a.Error, in: v10, section: "1.0 §3.3.4, §4.6.1",
		checks: "Requests name the extensions that the card requires", fix: "Name the extension in A2A-Extensions",
		at: atCall, run: requiredExtensions,
	},
	{
		id: "CARD-021", severity: a2a.Info, in: anywhere,
		checks: "The extended card has the name and the version of the public card", fix: "Serve both cards from one source",
		at: atCard, run: extendedCard,
	},
	{
		id: "CARD-022", severity: a2a.Warning, in: knownDialects, section: "0.3 §5.5, 1.0 §4.4.6",
		checks: "The agent answers messages in a version that the card names", fix: "Name the version that the agent speaks in the card",
		at: atEvent, run: declaredVersion,
	},
	{
		// A guess: a path may be so.
		id: "CARD-023", severity: a2a.Info, in: anywhere,
		checks: "No endpoint's path begins with the same part twice", fix: "Declare the path once, unless the agent is there",
		at: atCard, run: doubledPaths,
	},
	{
		// Examples of the specification have a path.
		id: "CARD-024", severity: a2a.Info, in: anywhere, section: "0.3 §3.2.2, 1.0 §10",
		checks: "Addresses of gRPC have no path", fix: "Declare host:port alone",
		at: atCard, run: grpcPaths,
	},
	{
		id: "CARD-025", severity: a2a.Info, in: v10, section: "1.0 §3.6",
		checks: "Versions of interfaces are released", fix: "Declare 1.0 too, for clients of today",
		at: atCard, run: unreleasedVersions,
	},
	{
		id: "CARD-026", severity: a2a.Info, in: anywhere, section: "0.3 §5.5.2, 1.0 §4.6.1",
		checks: "The card requires no extension", fix: "Name the extension in A2A-Extensions (--extension), or do not require it",
		at: atCard, run: cardRequires,
	},
}

// kindName names a kind of value in a sentence.
func kindName(k jsontok.Kind) string {
	switch k {
	case jsontok.Object, jsontok.Array:
		return "an " + k.String()
	case jsontok.True, jsontok.False:
		return "a boolean"
	case jsontok.Null:
		return "null"
	default:
		return "a " + k.String()
	}
}

func cardPath(p *pass, n jsontok.Node) {
	if p.call.Op != a2a.OpCard || p.x.request == nil {
		return
	}
	path, _, _ := strings.Cut(p.x.request.URL, "?")
	if strings.HasSuffix(path, "/.well-known/agent.json") {
		p.note(n, "The card of "+p.dialect().Number()+" is served at agent.json, where clients of its version do not look")
	}
}

func protocolVersion(p *pass, n jsontok.Node) {
	v := either(n, "protocolVersion", "protocol_version")
	switch {
	case !v.Exists():
		if p.in == onV03 {
			p.note(n, "The card has no protocolVersion")
		}
	case !v.IsText():
		p.note(v, "“protocolVersion” is "+kindName(v.Kind())+", not a string")
	case !isVersion(v.Text()):
		p.note(v, "There is no A2A "+clip(v.Text()))
	}
}

// isVersion reports whether a version of the protocol exists, with or without a patch number. A
// minor version after 1.0 counts as 1.0.
func isVersion(version string) bool {
	major, rest, dot := strings.Cut(version, ".")
	minor, patch, patched := strings.Cut(rest, ".")
	if !dot || !digits(minor) || patched && !digits(strings.SplitN(patch, "-", 2)[0]) {
		return false
	}
	return major == "1" || major == "0" && (minor == "1" || minor == "2" || minor == "3")
}

func preferredTransport(p *pass, n jsontok.Node) {
	onMesh := strings.HasPrefix(get(n, "url").Text(), "solace:") // which has no transport of A2A
	if !either(n, "preferredTransport", "preferred_transport").Exists() && !onMesh {
		p.note(n, "The card does not name the transport of its URL")
	}
}

func requirementsDeclared(p *pass, n jsontok.Node) {
	declared := map[string]bool{}
	for name := range either(n, "securitySchemes", "security_schemes").Members() {
		declared[name] = true
	}
	check := func(holder jsontok.Node) {
		list := either(holder, "securityRequirements", "security_requirements")
		if !list.Exists() {
			list = get(holder, "security")
		}
		for alternative := range list.Elems() {
			if wrapped := get(alternative, "schemes"); wrapped.Kind() == jsontok.Object {
				alternative = wrapped
			}
			for name, v := range alternative.Members() {
				if !declared[name] {
					p.note(v, "The card declares no scheme named “"+clip(name)+"”")
				}
			}
		}
	}
	check(n)
	for s := range get(n, "skills").Elems() {
		check(s)
	}
}

func skillIDs(p *pass, n jsontok.Node) {
	skills := get(n, "skills")
	if skills.Kind() != jsontok.Array {
		return // another rule checks it
	}
	seen := map[string]bool{}
	for s := range skills.Elems() {
		id := get(s, "id")
		if text := id.Text(); text != "" && seen[text] {
			p.note(id, "Two skills have the id “"+clip(text)+"”")
		} else {
			seen[text] = true
		}
	}
	if len(seen) == 0 {
		p.note(skills, "The card describes no skill")
	}
}

func modesAreMediaTypes(p *pass, n jsontok.Node) {
	check := func(list jsontok.Node) {
		for mode := range list.Elems() {
			if kind, sub, ok := strings.Cut(mode.Text(), "/"); mode.IsText() && (!ok || kind == "" || sub == "") {
				p.note(list, "The mode “"+clip(mode.Text())+"” is not a media type")
				return
			}
		}
	}
	check(either(n, "defaultInputModes", "default_input_modes"))
	check(either(n, "defaultOutputModes", "default_output_modes"))
	for s := range get(n, "skills").Elems() {
		check(either(s, "inputModes", "input_modes"))
		check(either(s, "outputModes", "output_modes"))
	}
}
