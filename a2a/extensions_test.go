package a2a_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

func TestAnExtensionIsNamedOnlyWhereItsHeaderCanCarryIt(t *testing.T) {
	t.Parallel()
	for _, uri := range []string{"https://ext.example/v1", "urn:x", strings.Repeat("x", 2048)} {
		if why := a2a.CheckExtension(uri); why != "" {
			t.Errorf("CheckExtension(%.40q) = %q, want no complaint", uri, why)
		}
	}
	for _, uri := range []string{"", "a b", "a,b", "a\r\nX-Evil: 1", "é", "\x7f", strings.Repeat("x", 2049)} {
		if a2a.CheckExtension(uri) == "" {
			t.Errorf("CheckExtension(%.40q): got no complaint, want one", uri)
		}
	}
}

func TestExtensionsAreReadOutOfEitherHeader(t *testing.T) {
	t.Parallel()
	h := http.Header{}
	h.Add("A2A-Extensions", "urn:a, urn:b,,")
	h.Add("A2A-Extensions", "urn:a")
	h.Add("X-A2A-Extensions", "urn:c")
	if got := a2a.ExtensionsIn(h); !slices.Equal(got, []string{"urn:a", "urn:b", "urn:c"}) {
		t.Errorf("got extensions %q, want urn:a, urn:b and urn:c", got)
	}
	h = http.Header{}
	for i := range 10000 {
		h.Add("A2A-Extensions", fmt.Sprint("urn:", i, ",", strings.Repeat("y", 4000)))
	}
	if got := a2a.ExtensionsIn(h); len(got) != 64 || got[63] != "urn:63" {
		t.Errorf("got %d extensions of a head with more, want 64", len(got))
	}
}

// TestEveryRequestAsksForExtensions checks that a request has the extensions of the options or
// its own, in the dialect's header and no other.
func TestEveryRequestAsksForExtensions(t *testing.T) {
	t.Parallel()
	var heads []http.Header
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heads = append(heads, r.Header.Clone())
		answer(200, "application/json", `{}`)(w, r)
	}))
	defer s.Close()
	for _, c := range []struct {
		dialect        a2a.DialectName
		header, others string
	}{
		{a2a.V10, "A2A-Extensions", "X-A2A-Extensions"},
		{a2a.V10REST, "A2A-Extensions", "X-A2A-Extensions"},
		{a2a.V03, "X-A2A-Extensions", "A2A-Extensions"},
		{a2a.V02, "X-A2A-Extensions", "A2A-Extensions"},
		{a2a.V01, "", "X-A2A-Extensions"},
	} {
		heads = nil
		o := options(newTape(), s.URL)
		o.Extensions = []string{"urn:a", "urn:b"}
		client := a2a.NewClient(profile(c.dialect, s.URL), nil, o)
		for _, asked := range [][]string{nil, {}, {"urn:c"}} {
			req := request(a2a.OpGet)
			req.Extensions = asked
			client.Do(t.Context(), req, a2a.Hooks{})
		}
		client.Close()
		want := [][]string{{"urn:a, urn:b"}, nil, {"urn:c"}}
		if c.header == "A2A-Extensions" {
			want[0] = []string{"urn:a", "urn:b"}
		}
		for i, h := range heads {
			if c.header == "" {
				want[i] = nil
			}
			if got := h.Values(c.header); c.header != "" && !slices.Equal(got, want[i]) {
				t.Errorf("%s, request %d: got extensions %q, want %q", c.dialect, i, got, want[i])
			}
			if h.Get(c.others) != "" {
				t.Errorf("%s, request %d: got header %s, want it absent", c.dialect, i, c.others)
			}
		}
		if d, _ := a2a.LookupDialect(c.dialect); d.ExtensionsHeader() != c.header || len(heads) != 3 {
			t.Errorf("%s: got header %q and %d requests, want %q and 3", c.dialect, d.ExtensionsHeader(), len(heads), c.header)
		}
	}
}
