package signin

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
)

// words describes ways for comparison.
func words(all []Way) string {
	var out []string
	for _, way := range all {
		var steps []string
		for _, s := range way {
			steps = append(steps, fmt.Sprintf("%s:%s%v", s.Scheme.Key, s.Kind, s.Scopes))
		}
		out = append(out, strings.Join(steps, "+"))
	}
	return strings.Join(out, " ")
}

func TestWaysAreThoseOfTheCard(t *testing.T) {
	schemes := []a2a.SecurityScheme{
		{Key: "k", Type: "apiKey", In: "header", Name: "X-Key"},
		{Key: "b", Type: "http", Scheme: "Basic"},
		{Key: "t", Type: "http", Scheme: "bearer"},
		{Key: "d", Type: "http", Scheme: "digest"},
		{Key: "o", Type: "oauth2", Flows: []a2a.OAuthFlow{{Type: "password"}, {Type: "deviceCode"}, {Type: "authorizationCode"}}},
		{Key: "i", Type: "openIdConnect"},
		{Key: "m", Type: "mutualTLS"},
		{Key: "l", Type: "legacy", Scheme: "OAuth2"},
	}
	need := func(names ...string) (r a2a.SecurityRequirement) {
		for _, n := range names {
			r = append(r, a2a.SchemeScopes{Scheme: n, Scopes: []string{"s"}})
		}
		return r
	}
	for name, c := range map[string]struct {
		security []a2a.SecurityRequirement
		want     string
		chosen   Kind
	}{
		"or":      {[]a2a.SecurityRequirement{need("k"), need("b")}, "k:key[s] b:basic[s]", Key},
		"and":     {[]a2a.SecurityRequirement{need("m", "t")}, "m:certificate[s]+t:bearer[s]", Certificate},
		"flows":   {[]a2a.SecurityRequirement{need("o")}, "o:unsupported[s] o:device[s] o:code[s]", DeviceCode},
		"openid":  {[]a2a.SecurityRequirement{need("i")}, "i:code[s] i:device[s] i:client-credentials[s]", AuthorizationCode},
		"legacy":  {[]a2a.SecurityRequirement{need("l")}, "l:bearer[s]", Bearer},
		"unknown": {[]a2a.SecurityRequirement{need("d"), need("x"), need("t")}, "d:unsupported[s] x:unsupported[s] t:bearer[s]", Bearer},
		"no demand": {nil, "k:key[] b:basic[] t:bearer[] d:unsupported[] o:unsupported[] o:device[] o:code[] " +
			"i:code[] i:device[] i:client-credentials[] m:certificate[] l:bearer[]", Key},
	} {
		all := Ways(&a2a.Card{SecuritySchemes: schemes, Security: c.security})
		if got := words(all); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
		if way, ok := Choose(all, ""); !ok || way[0].Kind != c.chosen {
			t.Errorf("%s: chose %+v, want %s", name, way, c.chosen)
		}
	}
	if Ways(nil) != nil || Ways(&a2a.Card{}) != nil {
		t.Error("got ways without a demand")
	}
	many := &a2a.Card{SecuritySchemes: schemes}
	for range 1000 {
		many.Security = append(many.Security, need("o", "o", "o", "o", "o", "o", "o", "o", "o", "o", "o", "o"))
	}
	if n := len(Ways(many)); n != maxWays {
		t.Errorf("got %d ways of a hostile card, want %d", n, maxWays)
	}
}
