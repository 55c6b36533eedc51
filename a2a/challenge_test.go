package a2a

import (
	"net/http"
	"slices"
	"testing"
)

func TestChallengeSchemes(t *testing.T) {
	for value, want := range map[string][]string{
		`Bearer`:                           {"Bearer"},
		`Bearer realm="a, Basic b", scope`: {"Bearer", "scope"},
		`Basic realm="x\", Digest", charset="UTF-8", Bearer error="invalid_token"`: {"Basic", "Bearer"},
		`Negotiate, Basic realm="x"`: {"Negotiate", "Basic"},
		` ,, `:                       nil,
		`realm="x`:                   nil,
		``:                           nil,
	} {
		if got := ChallengeSchemes(http.Header{"Www-Authenticate": {value}}); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", value, got, want)
		}
	}
	two := http.Header{"Www-Authenticate": {"Basic", "Bearer"}}
	if got := ChallengeSchemes(two); !slices.Equal(got, []string{"Basic", "Bearer"}) {
		t.Errorf("two headers: got %q", got)
	}
}
