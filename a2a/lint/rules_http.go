package lint

import (
	"net/http"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// httpRules are about headers, statuses and addresses.
var httpRules = [...]rule{
	{
		id: "HTTP-008", severity: a2a.Warning, in: anywhere, section: "0.1 §4.4, 0.3 §4.4",
		checks: "An answer with status 401 says in WWW-Authenticate how to authenticate",
		fix:    "Send WWW-Authenticate with every 401",
		at:     atHead, run: challenge,
	},
}

func challenge(p *pass, _ jsontok.Node) {
	if p.x.status() == http.StatusUnauthorized && p.x.header("WWW-Authenticate") == "" {
		p.note(jsontok.Node{}, "Status 401 comes without a WWW-Authenticate header")
	}
}
