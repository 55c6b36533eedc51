package signin

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// A card that names the page of one server and the endpoint for tokens of another one gets no code of the
// first.
func TestACodeGoesBackToItsServer(t *testing.T) {
	var honest, other *httptest.Server
	documented, redeemed := true, 0
	token := func(w http.ResponseWriter) {
		redeemed++
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"access_token":"t0ken","token_type":"Bearer"}`)
	}
	honest = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/token":
			token(w)
		case documented && r.URL.Path == "/.well-known/oauth-authorization-server":
			fmt.Fprintf(w, `{"issuer":%q,"authorization_endpoint":"%s/auth","token_endpoint":"%s/token"}`, honest.URL, honest.URL, honest.URL)
		default:
			http.NotFound(w, r)
		}
	}))
	defer honest.Close()
	other = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { token(w) }))
	defer other.Close()

	for name, c := range map[string]struct {
		documented    bool
		tokens, names string // the endpoint of the card, and the issuer in the answer
		want          string // in the error; empty for a token
	}{
		"its own server":                    {true, honest.URL + "/token", honest.URL, ""},
		"without metadata":                  {false, honest.URL + "/token", honest.URL, ""},
		"a server that does not say who":    {true, honest.URL + "/token", "", ""},
		"another server":                    {true, other.URL + "/token", honest.URL, "nothing was sent there"},
		"another server, without metadata":  {false, other.URL + "/token", honest.URL, "nothing was sent there"},
		"another endpoint of the same host": {true, honest.URL + "/else", honest.URL, "nothing was sent there"},
	} {
		documented, redeemed = c.documented, 0
		r := &Request{HTTP: HTTPClient(http.DefaultTransport), Server: &Server{AuthURL: honest.URL + "/auth", TokenURL: c.tokens}, ClientID: "desk"}
		pasted := make(chan string, 1)
		got, err := Code(t.Context(), r, func(address, back string) {
			u, _ := url.Parse(address)
			answer := url.Values{"code": {"c0de"}, "state": {u.Query().Get("state")}}
			if c.names != "" {
				answer.Set("iss", c.names)
			}
			pasted <- back + "?" + answer.Encode()
		}, pasted)
		switch {
		case c.want == "" && (err != nil || got.AccessToken != "t0ken"):
			t.Errorf("%s: got %v, want a token", name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || redeemed != 0):
			t.Errorf("%s: got %v and %d codes redeemed, want %q", name, err, redeemed, c.want)
		}
	}
}

type refusing struct{ t *testing.T }

func (r refusing) RoundTrip(req *http.Request) (*http.Response, error) {
	r.t.Errorf("got a request to %q, want none", req.URL.Host)
	return nil, io.EOF
}

// A server is the host that is connected to: a redirect may write it in other letters, and a host
// that cannot be looked up gets nothing.
func TestTheHostOfAServerIsTheOneThatIsMeant(t *testing.T) {
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, strings.Replace(server.URL, "127.0.0.1", "①②⑦.⓪.⓪.①", 1)+"/same", http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, r.URL.Path)
	}))
	defer server.Close()
	resp, err := HTTPClient(http.DefaultTransport).Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); string(body) != "/same" {
		t.Errorf("got %q, want the redirect followed", body)
	}
	_, err = HTTPClient(refusing{t}).Get("https://login\u202e.example/")
	if err == nil || !strings.Contains(err.Error(), "the host login%E2%80%AE.example cannot be looked up") {
		t.Errorf("got %v, want the host refused", err)
	}
}
