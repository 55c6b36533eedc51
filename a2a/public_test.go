package a2a_test

import (
	"net/http"
	"testing"

	"parley/a2a"
)

func TestWhichNamesArePublic(t *testing.T) {
	t.Parallel()
	declared := a2a.PublicNames{"X-Team", "region", "Authorization", "cookie"}
	for name, want := range map[string]bool{
		"Accept": true, "accept-language": true, "Accept-Encoding": true, "CONTENT-TYPE": true, "user-agent": true,
		"TraceParent": true, "X-Request-ID": true, "A2A-Version": true, "a2a-extensions": true,
		"x-team": true, "Region": true,
		"X-Team-Two": false, "Acceptance": false, "A2A": false, "X-A2A-Extensions": false, "X-Pass": false, "tracestate": false,
		"Authorization": false, "authorization": false, "Cookie": false, "Proxy-Authorization": false, "": false,
	} {
		if got := declared.Has(name); got != want {
			t.Errorf("Has(%q) = %t, want %t", name, got, want)
		}
	}
	for name, fits := range map[string]bool{"x-team": true, "": false, " ": false, "COOKIE": false, "set-cookie": false} {
		if why := a2a.CheckPublic(name); (why == "") != fits {
			t.Errorf("CheckPublic(%q) = %q, want no complaint: %t", name, why, fits)
		}
	}
}

// Every header that a user supplies is masked in the record, whatever its name, unless it is
// public.
func TestSuppliedHeadersAreSecretsUnlessDeclaredPublic(t *testing.T) {
	t.Parallel()
	agent := serve(t, answer(200, "", taskAnswer))
	for _, c := range []struct {
		header a2a.HeaderPair
		public a2a.PublicNames
		shown  bool
	}{
		{a2a.HeaderPair{Name: "X-Sig", Value: "abc"}, nil, false},
		{a2a.HeaderPair{Name: "x-otp", Value: "123456"}, nil, false},
		{a2a.HeaderPair{Name: "X-Team", Value: "red"}, nil, false},
		{a2a.HeaderPair{Name: "X-Team", Value: "red", Public: true}, nil, true},
		{a2a.HeaderPair{Name: "X-Token-Count", Value: "7"}, a2a.PublicNames{"x-token-count"}, true},
		{a2a.HeaderPair{Name: "Accept-Language", Value: "ko"}, nil, true},
		{a2a.HeaderPair{Name: "traceparent", Value: "00-1-2-01"}, nil, true},
		{a2a.HeaderPair{Name: "Authorization", Value: "Basic eA==", Public: true}, a2a.PublicNames{"authorization"}, false},
	} {
		_, tp := call(t, agent.URL, func(o *a2a.Options) { o.Headers, o.Public = []a2a.HeaderPair{c.header}, c.public })
		want := a2a.Mask
		if c.shown {
			want = c.header.Value
		}
		if got := tp.records[0].Head.Header[http.CanonicalHeaderKey(c.header.Name)]; len(got) != 1 || got[0] != want {
			t.Errorf("header %+v with public %q: got record %q, want %q", c.header, c.public, got, want)
		}
	}
}
