package lint

import (
	"testing"
	"time"

	"parley/a2a"
)

// masked are credentials that the next request had.
func masked(gone ...a2a.Redaction) step {
	return func(s *script) { s.masked = gone }
}

// bearer is a masked token in the header Authorization.
func bearer(hash string, token *a2a.TokenClaims) a2a.Redaction {
	return a2a.Redaction{Name: "header Authorization", Hash: "whole " + hash, Credential: &a2a.Credential{Scheme: "bearer", Hash: hash, Token: token}}
}

// key is a masked API key in a header.
func key(hash string) a2a.Redaction { return a2a.Redaction{Name: "header X-Api-Key", Hash: hash} }

// to makes the following requests go to another agent.
func to(agent a2a.AgentID, endpoint string) step {
	return under(func(c *a2a.Call) {
		c.Agent, c.Endpoint = agent, endpoint
		c.Tapped = &a2a.Tapped{Tap: "tap of " + endpoint, Client: "bot/1.0", Connection: 1}
	})
}

// post is a request of 1.0 with further headers, to the agent of the call.
func post(headers string) step {
	return func(s *script) {
		asked("POST " + s.call.Endpoint + "\nA2A-Version: 1.0\n" + headers + "\n\n" + `{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":` + message(a2a.V10, "user") + `}}`)(s)
		ended(a2a.Ended)(s)
	}
}

const (
	secured  = `"securitySchemes":{"k":{"apiKeySecurityScheme":{"name":"X-Api-Key","location":"header"}},"b":{"httpAuthSecurityScheme":{"scheme":"Bearer"}}},"securityRequirements":[{"schemes":{"k":{}}},{"schemes":{"b":{}}}],"capabilities":{}`
	inQuery  = `"securitySchemes":{"k":{"apiKeySecurityScheme":{"name":"api_key","location":"query"}}},"securityRequirements":[{"schemes":{"k":{}}}],"capabilities":{}`
	noon     = 1772366400 // when the scripts begin
	otherOne = "https://other.example/a2a"
)

var credentialCases = []ruleCase{
	{
		rule: "CLNT-013", call: behind(on(a2a.V10, a2a.OpStream)), at: "",
		fires: append(declares(secured), post("X-Other: 1")),
		silent: append(declares(secured), masked(key("k")), post("X-Api-Key: •••"), masked(bearer("t", nil)), post("Authorization: •••"),
			does(a2a.OpCard), asked("GET https://agent.example/.well-known/agent-card.json\n\n")),
	},
	{
		rule: "CLNT-013", call: behind(on(a2a.V10, a2a.OpStream)), at: "",
		fires: append(declares(secured), masked(a2a.Redaction{Name: "header Authorization", Hash: "b", Credential: &a2a.Credential{Scheme: "basic", Hash: "p"}}), post("Authorization: •••")),
		silent: joined(declares(inQuery), []step{masked(a2a.Redaction{Name: "query api_key", Hash: "q"}), asked("POST https://agent.example/a2a?api_key=•••\n\n{}")},
			declares(`"securitySchemes":{"m":{"mtlsSecurityScheme":{}}},"securityRequirements":[{"schemes":{"m":{}}}],"capabilities":{}`), []step{post("X-Other: 1")}),
	},
	{
		rule: "CLNT-014", call: behind(on(a2a.V10, a2a.OpStream)), at: "",
		fires:  []step{masked(a2a.Redaction{Name: "query api_key", Hash: "q"}), asked("POST https://agent.example/a2a?api_key=•••\n\n{}")},
		silent: append(declares(inQuery), masked(a2a.Redaction{Name: "query api_key", Hash: "q"}), asked("POST https://agent.example/a2a?api_key=•••\n\n{}"), masked(key("k")), post("X-Api-Key: •••")),
	},
	{
		rule: "CLNT-015", call: behind(on(a2a.V10, a2a.OpStream)), at: "",
		fires: []step{masked(bearer("t", nil)), post("Authorization: •••"), to(2, otherOne), masked(a2a.Redaction{Name: "header X-Api-Key", Hash: "t"}), post("X-Api-Key: •••")},
		silent: []step{masked(key("k")), post("X-Api-Key: •••"), masked(key("k")), post("X-Api-Key: •••"), to(2, "https://agent.example/other"), masked(key("k")), post("X-Api-Key: •••"),
			to(3, otherOne), masked(key("l")), post("X-Api-Key: •••"), masked(a2a.Redaction{Name: "push token", Hash: "k"}), post("X-Other: 1")},
	},
	{
		rule: "CLNT-015", call: behind(on(a2a.V03, a2a.OpStream)), at: "",
		fires: []step{masked(bearer("t", &a2a.TokenClaims{Audience: []string{"api"}})), post("Authorization: •••"), to(2, otherOne), masked(bearer("t", &a2a.TokenClaims{Audience: []string{"api"}})), post("Authorization: •••")},
		silent: []step{masked(bearer("t", &a2a.TokenClaims{Audience: []string{"https://other.example"}})), post("Authorization: •••"), to(2, otherOne),
			masked(bearer("t", &a2a.TokenClaims{Audience: []string{"https://other.example"}})), post("Authorization: •••"),
			masked(bearer("u", &a2a.TokenClaims{Audience: []string{"a", "b"}})), post("Authorization: •••"), to(3, "https://third.example"), masked(bearer("u", &a2a.TokenClaims{Audience: []string{"a", "b"}})), post("Authorization: •••")},
	},
	{
		rule: "CLNT-016", call: behind(on(a2a.V10, a2a.OpStream)), at: "",
		fires: []step{masked(bearer("t", &a2a.TokenClaims{Audience: []string{"https://agent.example/a2a"}})), post("Authorization: •••"), to(2, otherOne),
			masked(bearer("t", &a2a.TokenClaims{Audience: []string{"https://agent.example/a2a"}})), post("Authorization: •••")},
		silent: []step{masked(bearer("t", &a2a.TokenClaims{Audience: []string{"https://unknown.example", "account"}})), post("Authorization: •••"), to(2, otherOne),
			masked(bearer("u", &a2a.TokenClaims{Audience: []string{"https://agent.example", "other.example"}})), post("Authorization: •••"), masked(key("k")), post("X-Api-Key: •••")},
	},
	{
		rule: "CLNT-017", call: behind(on(a2a.V10, a2a.OpStream)), at: "",
		fires:  []step{masked(bearer("t", &a2a.TokenClaims{Expires: noon - 61})), post("Authorization: •••")},
		silent: []step{masked(bearer("t", &a2a.TokenClaims{Expires: noon - 30, NotBefore: noon + 30})), post("Authorization: •••")},
	},
	{
		rule: "CLNT-017", call: behind(on(a2a.V03, a2a.OpStream)), at: "",
		fires:  []step{masked(bearer("t", &a2a.TokenClaims{NotBefore: noon + 3600})), post("Authorization: •••")},
		silent: []step{later(time.Hour), masked(bearer("t", &a2a.TokenClaims{NotBefore: noon + 3600})), post("Authorization: •••")},
	},
}

// An audience that names the agent by its card is meant for it.
func TestTheNameInTheCardIsAnAudience(t *testing.T) {
	s := play(behind(on(a2a.V10, a2a.OpStream)), append(declares(`"capabilities":{}`), masked(bearer("t", &a2a.TokenClaims{Audience: []string{"b"}})), post("Authorization: •••"),
		to(2, otherOne), masked(bearer("t", &a2a.TokenClaims{Audience: []string{"b"}})), post("Authorization: •••"))...)
	if got := s.of("CLNT-016"); len(got) != 1 {
		t.Errorf("got %+v, want one finding: the token was issued for the first agent", got)
	}
}
