package lint

import (
	"strings"

	"parley/a2a/jsontok"
)

// cardScope returns the dialect that a card is written in. A dual card counts as 1.0.
func cardScope(n jsontok.Node) scope {
	version := either(n, "protocolVersion", "protocol_version").Text()
	switch {
	case either(n, "supportedInterfaces", "supported_interfaces").Exists(), strings.HasPrefix(version, "1"):
		return onV10
	case strings.HasPrefix(version, "0.3"):
		return onV03
	case strings.HasPrefix(version, "0.2"):
		return onV02
	case strings.HasPrefix(version, "0.1"), get(n, "authentication").Exists():
		return onV01
	case version != "":
		return onUnknown
	case either(n, "preferredTransport", "preferred_transport").Exists(), get(n, "signatures").Exists():
		return onV03
	case either(n, "securitySchemes", "security_schemes").Exists(), get(n, "security").Exists(),
		n.Get("supportsAuthenticatedExtendedCard").Exists(), n.Get("iconUrl").Exists(),
		get(get(n, "capabilities"), "extensions").Exists():
		return onV02
	}
	return onUnknown
}
