package model

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
)

// waysToAuth is a request as lines: the schemes, then each field.
func waysToAuth(r []AuthRequest) string {
	var b strings.Builder
	for _, a := range r {
		fmt.Fprintln(&b, strings.Join(a.Schemes, "|"))
		for _, f := range a.Fields {
			mark := "="
			if f.Link {
				mark = "->"
			}
			fmt.Fprintln(&b, f.Name, mark, f.Value)
		}
	}
	return b.String()
}

func TestWaysToAuthenticateAreRead(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"0.1, whose credentials are JSON in a string": {
			`{"schemes":["OAuth2","Bearer"],"credentials":"{\"authorizationUrl\":\"https://auth.example.com/authorize\",\"tokenUrl\":\"https://auth.example.com/token\",\"scopes\":{\"route:plan\":\"Plans.\",\"map:custom\":\"Maps.\"}}"}`,
			"OAuth2|Bearer\nauthorizationUrl -> https://auth.example.com/authorize\ntokenUrl -> https://auth.example.com/token\nscopes = route:plan, map:custom\n",
		},
		"an object around it": {
			`{"reason":"calendar","authentication":{"schemes":["ApiKey"],"credentials":"{\"in\":\"header\",\"name\":\"X-Custom-API-Key\"}"}}`,
			"ApiKey\nin = header\nname = X-Custom-API-Key\n",
		},
		"credentials that are an object": {`{"schemes":["Bearer"],"credentials":{"loginUrl":"https://id.example/login"}}`, "Bearer\nloginUrl -> https://id.example/login\n"},
		"1.0":                            {`{"scheme":"Bearer","description":"Sign in to your calendar."}`, "Bearer\ndescription = Sign in to your calendar.\n"},
		"schemes of a card": {
			`{"securitySchemes":{"google":{"type":"oauth2","flows":{"authorizationCode":{"authorizationUrl":"https://accounts.example/o","scopes":{"mail":"x"}}}}}}`,
			"google\ntype = oauth2\nauthorizationUrl -> https://accounts.example/o\nscopes = mail\n",
		},
		"secrets": {
			`{"schemes":["Bearer"],"credentials":"sk-not-to-be-seen","access_token":"abc","password":12,"link":"https://user:pw@x.example/a?token=t1&page=2"}`,
			"Bearer\ncredentials = " + a2a.Mask + "\naccess_token = " + a2a.Mask + "\n",
		},
		"a token of a known shape": {`{"scheme":"Bearer","example":"use ghp_abcdefghijklmnopqrstuvwxyz0123456789"}`, "Bearer\nexample = use " + a2a.Mask + "\n"},
		"nothing of the kind":      {`{"scheme":"https://x.example","schemes_seen":4}`, ""},
		"an empty list":            {`{"schemes":[]}`, ""},
		"no JSON":                  {`schemes: Bearer`, ""},
		"words":                    {`"schemes"`, ""},
	} {
		got := waysToAuth(AuthIn([]byte(c.data)))
		if name == "secrets" {
			for _, s := range []string{"sk-not", "abc", "12", "pw", "t1"} {
				if strings.Contains(got, s) {
					t.Errorf("%s: request contains the secret %q:\n%s", name, s, got)
				}
			}
			if !strings.HasPrefix(got, c.want) || !strings.Contains(got, "x.example") {
				t.Errorf("%s: got\n%s\nwant it to begin with\n%s", name, got, c.want)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// However much an agent asks for, little of it is read.
func FuzzAuthIn(f *testing.F) {
	f.Add([]byte(`{"schemes":["Bearer"],"credentials":"{\"tokenUrl\":\"https://x.example\"}"}`))
	f.Add([]byte(`{"securitySchemes":{"a":{"type":"apiKey","in":"header"}}}`))
	f.Add([]byte(strings.Repeat(`{"scheme":`, 50)))
	f.Add([]byte(`{"schemes":["x"],"a":` + strings.Repeat(`"{\"a\":`, 9) + `1`))
	f.Fuzz(func(t *testing.T, data []byte) {
		asks := AuthIn(data)
		if len(asks) > maxAuthAsks {
			t.Fatalf("got %d requests, want at most %d", len(asks), maxAuthAsks)
		}
		for _, a := range asks {
			if len(a.Schemes) == 0 || len(a.Schemes) > maxAuthAsks || len(a.Fields) > maxAuthFields {
				t.Fatalf("got request %+v, want it within the limits", a)
			}
			for _, field := range a.Fields {
				if len(field.Value) > 3*maxAuth || len(field.Name) > 300 {
					t.Fatalf("got a field of %d bytes, want it within the limits", len(field.Value))
				}
			}
		}
	})
}
