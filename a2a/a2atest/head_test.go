package a2atest

import (
	"net/http"
	"strings"
	"testing"
)

// heads is an agent whose answers depend on what the heads of requests say.
const heads = `
-- agent --
dialect 1.0
endpoint /rpc
extension urn:a
extension urn:b
-- answer --
said {{say}}
-- scene known --
bearer
extension urn:b
answer -
send answer say=both
-- scene bearer --
bearer
answer -
send answer say=bearer
-- scene extension --
extension urn:a
answer -
send answer say=extension
-- scene nothing --
answer -
send answer say=nothing
`

func TestScenesAreChosenByTheHeadOfARequest(t *testing.T) {
	s, err := Parse("heads", []byte(heads))
	if err != nil {
		t.Fatal(err)
	}
	a, err := Start(t.Context(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	for _, c := range []struct {
		asks, auth   string
		says, active string
	}{
		{"", "", "nothing", ""},
		{"urn:a", "", "extension", "urn:a"},
		{"urn:x, urn:a,urn:b", "", "extension", "urn:a urn:b"},
		{"urn:b", "Bearer t", "both", "urn:b"},
		{"urn:a", "bearer t", "bearer", "urn:a"},
		{"urn:x", "Basic t", "nothing", ""},
		{"", "Bearer ", "nothing", ""},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.URL+"/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":`+say("x", "")+`}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("A2A-Extensions", c.asks)
		req.Header.Set("Authorization", c.auth)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.TrimSpace(all(t, resp))
		resp.Body.Close()
		if active := strings.Join(resp.Header.Values("A2A-Extensions"), " "); got != "said "+c.says || active != c.active {
			t.Errorf("extensions %q with %q: got %q and active %q, want %q and %q", c.asks, c.auth, got, active, "said "+c.says, c.active)
		}
	}
	if _, err := Parse("bad", []byte(strings.Replace(heads, "extension urn:b\nanswer", "extension urn:c\nanswer", 1))); err == nil {
		t.Error("Parse: got no error for a scene with an undeclared extension, want one")
	}
}
