package challenge

import (
	"maps"
	"net/http"
	"slices"
	"testing"
)

func TestSchemes(t *testing.T) {
	t.Parallel()
	for value, want := range map[string][]string{
		`Bearer`:                           {"Bearer"},
		`Bearer realm="a, Basic b", scope`: {"Bearer", "scope"},
		`Basic realm="x\", Digest", charset="UTF-8", Bearer error="invalid_token"`: {"Basic", "Bearer"},
		`Negotiate, Basic realm="x"`: {"Negotiate", "Basic"},
		` ,, `:                       nil,
		`realm="x`:                   nil,
		``:                           nil,
	} {
		if got := Schemes(http.Header{"Www-Authenticate": {value}}); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", value, got, want)
		}
	}
	two := http.Header{"Www-Authenticate": {"Basic", "Bearer"}}
	if got := Schemes(two); !slices.Equal(got, []string{"Basic", "Bearer"}) {
		t.Errorf("two headers: got %q", got)
	}
}

func TestChallengesHaveParameters(t *testing.T) {
	t.Parallel()
	h := http.Header{"Www-Authenticate": {
		`Bearer realm="a \"desk\", or two", Scope="read write", error=invalid_token, scope="second"`,
		`Basic realm="x", DPoP algs="ES256", Bearer resource_metadata="https://a.example/.well-known/oauth-protected-resource"`,
	}}
	want := []Challenge{
		{"Bearer", map[string]string{"realm": `a "desk", or two`, "scope": "read write", "error": "invalid_token"}},
		{"Basic", map[string]string{"realm": "x"}},
		{"DPoP", map[string]string{"algs": "ES256"}},
		{"Bearer", map[string]string{"resource_metadata": "https://a.example/.well-known/oauth-protected-resource"}},
	}
	got := Of(h)
	if !slices.EqualFunc(got, want, func(a, b Challenge) bool { return a.Scheme == b.Scheme && maps.Equal(a.Params, b.Params) }) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzChallenges checks that no header costs much, or breaks what is read of it.
func FuzzChallenges(f *testing.F) {
	for _, seed := range []string{`Bearer realm="x"`, `a="b`, `,,=,"\`, "Negotiate abc==, Basic realm=x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		all := Of(http.Header{"Www-Authenticate": {value}})
		for _, c := range all {
			if c.Scheme == "" || len(c.Params) > maxChallenges {
				t.Errorf("got %+v", c)
			}
		}
		if len(all) > maxChallenges {
			t.Errorf("got %d challenges", len(all))
		}
	})
}
