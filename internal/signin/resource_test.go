package signin

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/challenge"
	"parley/internal/signin/signintest"
)

// refusedBy returns an attempt after a refusal that names metadata.
func refusedBy(origin, refused, metadata string) *Login {
	return &Login{Origin: origin, Refused: refused, Challenge: challenge.Challenge{Scheme: "Bearer", Params: map[string]string{"resource_metadata": metadata}}}
}

// A token is requested for the agent that refused a request, and for nobody else: an agent that got a
// token for another resource could use it there.
func TestATokenIsForTheResourceThatRefused(t *testing.T) {
	s := signintest.Start(t)
	document, asked := "", 0
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = w.Write([]byte(document))
	}))
	defer agent.Close()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another host was asked for metadata") }))
	defer elsewhere.Close()
	servers := `"authorization_servers":["` + s.Issuer + `"]`
	about := func(resource string) string { return `{"resource":"` + resource + `",` + servers + `}` }
	known := agent.URL + resourcePlace
	for name, c := range map[string]struct {
		refused, metadata, document string
		want                        string // in the refusal; empty if there is none
		requests                    int
	}{
		"the URL itself":           {agent.URL + "/rpc", known + "/rpc", about(agent.URL + "/rpc"), "", 1},
		"the origin":               {agent.URL + "/rpc", known, about(agent.URL), "", 1},
		"metadata anywhere":        {agent.URL + "/rpc", agent.URL + "/about.json", about(agent.URL), "", 1},
		"somebody else":            {agent.URL + "/rpc", known, about("https://other.example/mail"), "are those of https://other.example/mail, and not of " + agent.URL + "/rpc", 1},
		"somebody else, anywhere":  {agent.URL + "/rpc", agent.URL + "/about.json", about("https://other.example"), "are those of https://other.example, and not", 1},
		"another port":             {agent.URL + "/rpc", known, about(elsewhere.URL + "/rpc"), "are those of " + elsewhere.URL + "/rpc, and not", 1},
		"a sibling":                {agent.URL + "/a", known + "/b", about(agent.URL + "/b"), "are those of " + agent.URL + "/b, and not of " + agent.URL + "/a", 1},
		"no resource":              {agent.URL + "/rpc", known, "{" + servers + "}", "lack “resource”", 1},
		"an empty resource":        {agent.URL + "/rpc", known, about(""), "lack “resource”", 1},
		"null":                     {agent.URL + "/rpc", known, `{"resource":null,` + servers + `}`, "lack “resource”", 1},
		"a wrong type":             {agent.URL + "/rpc", known, `{"resource":["` + agent.URL + `"],` + servers + `}`, "whose member resource has a wrong type", 1},
		"no document":              {agent.URL + "/rpc", known, `[]`, "no JSON", 1},
		"an escape":                {agent.URL + "/rpc", known, about(`\u001b[2J\u001b]0;x\u0007` + strings.Repeat("y", 5000)), `are those of "[2J ]0;x yyy`, 1},
		"no server":                {agent.URL + "/rpc", known, `{"resource":"` + agent.URL + `"}`, "name no authorization server", 1},
		"metadata of others":       {agent.URL + "/rpc", elsewhere.URL + resourcePlace, about(agent.URL), "names metadata at " + elsewhere.URL + resourcePlace + ", which is another origin", 0},
		"metadata at no address":   {agent.URL + "/rpc", "/about.json", about(agent.URL), `names metadata at "/about.json"`, 0},
		"a refusal from elsewhere": {elsewhere.URL + "/rpc", elsewhere.URL + resourcePlace, about(elsewhere.URL), elsewhere.URL + "/rpc asks for credentials, but those for " + agent.URL + " do not go there", 0},
	} {
		document, asked = c.document, 0
		server, err := Find(t.Context(), HTTPClient(http.DefaultTransport), refusedBy(agent.URL, c.refused, c.metadata))
		switch {
		case asked != c.requests:
			t.Errorf("%s: got %d requests for metadata, want %d", name, asked, c.requests)
		case c.want == "" && (err != nil || server.TokenURL == "" || !strings.HasPrefix(server.Resource, agent.URL)):
			t.Errorf("%s: got %+v, %v, want the server with the resource", name, server, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 900 || strings.ContainsAny(err.Error(), "\x1b\n")):
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// Honest servers name their origin or a path above the one that was requested, with and without a slash.
func TestAResourceIsComparedByItsAddress(t *testing.T) {
	const at = "https://agent.example" + resourcePlace
	const card = "https://agent.example/.well-known/agent-card.json"
	for _, c := range []struct {
		refused, metadata, resource string
		want                        bool
	}{
		{"https://agent.example/a/rpc", at, "https://agent.example", true},
		{"https://agent.example/a/rpc", at, "https://agent.example/", true},
		{"https://agent.example/a/rpc", at, "HTTPS://Agent.EXAMPLE:443/", true},
		{"https://agent.example/a/rpc", at + "/a", "https://agent.example/a/", true},
		{"https://agent.example/a/rpc", at + "/a/", "https://agent.example/a", true},
		{"https://agent.example/a/rpc/", at + "/a/rpc", "https://agent.example/a/rpc", true},
		{"https://agent.example/a/rpc", at, "https://agent.example/a/rpc", true},      // the place of the origin
		{"https://agent.example/a/rpc", at + "/a/rpc", "https://agent.example", true}, // the origin at each path
		{"https://agent.example/a/rpc", "https://agent.example/a" + resourcePlace, "https://agent.example/a", true},
		{"https://agent.example/a/rpc", "https://agent.example/meta?of=a", "https://agent.example/a", true},
		{"https://agent.example/a/•••", at, "https://agent.example/a/s3cret-id", true}, // a secret of the user is masked
		{"https://agent.example/a?v=•••&x=1", at, "https://agent.example/a?v=2", true},
		{"https://agent.example/a?v=2", at, "https://agent.example/a?v=2", true},
		{"https://agent.example", at, "https://agent.example/", true},
		{card, at, "https://agent.example/a/rpc", true}, // nobody has named its path yet
		{card, at + "/a", "https://agent.example/a", true},
		{"https://agent.example/a/.well-known/agent-card.json", at + "/a", "https://agent.example/a", true},
		{"https://agent.example/a/.well-known/agent-card.json", at, "https://agent.example", true},
		{"http://[::1]:80/rpc", "http://[::1]" + resourcePlace, "http://[::1]/rpc", true},

		{"https://agent.example/a/rpc", at, "http://agent.example", false},
		{"https://agent.example/a/rpc", at, "https://agent.example:8443", false},
		{"https://agent.example/a/rpc", at, "https://agent.example.evil.example/a", false},
		{"https://agent.example/a/rpc", at, "https://agent.example@other.example/a", false},
		{"https://agent.example/a/rpc", at, "https://user:x@agent.example/a", false},
		{"https://agent.example/a/rpc", at, "https://agent.example/a#rpc", false},
		{"https://agent.example/a/rpc", at, "https://agent.example/a/rpc/more", false},
		{"https://agent.example/a/rpc", at, "https://agent.example/A/rpc", false},
		{"https://agent.example/ab", at, "https://agent.example/a", false},
		{"https://agent.example/ab", at, "https://agent.example/a/../b", false},
		{"https://agent.example/a/rpc", at + "/b", "https://agent.example/a", false},
		{"https://agent.example/a/rpc", "https://agent.example/b" + resourcePlace, "https://agent.example/a", false},
		{"https://agent.example/a?v=1", at, "https://agent.example/a?v=2", false},
		{"https://agent.example/a/rpc", at, "https://agent.example/•••", false},
		{"https://agent.example/a/.well-known/agent-card.json", at + "/b", "https://agent.example/b", false},
		{"https://agent.example/a/rpc", at, "agent.example/a", false},
		{"https://agent.example/a/rpc", at, "urn:agent", false},
		{"https://agent.example/a/rpc", at, "//agent.example/a", false},
	} {
		a := refusedBy(a2a.Origin(c.refused), c.refused, c.metadata)
		if err := (&reader{mask: &masker{}}).checkResource(a, c.metadata, c.resource); (err == nil) != c.want {
			t.Errorf("%s, whose metadata at %s name %s: got %v, want it accepted: %v", c.refused, c.metadata, c.resource, err, c.want)
		}
	}
}

// The audience of a token is compared as an address, too.
func TestAnAudienceIsComparedByItsOrigin(t *testing.T) {
	i := &Identity{Origin: "https://agent.example"}
	for audience, want := range map[string]bool{
		"https://agent.example": true, "https://AGENT.example:443/rpc/": true, "https://agent.example?x=1": true, "agent": true, "urn:agent": true,
		"https://agent.example.evil": false, "https://agent.example:8443": false, "http://agent.example": false, "api://agent": false,
	} {
		if got := i.means(audience); got != want {
			t.Errorf("%s: got %v, want %v", audience, got, want)
		}
	}
}
