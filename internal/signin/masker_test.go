package signin

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"golang.org/x/oauth2"

	"parley/a2a"
	"parley/internal/signin/signintest"
)

// An echo is an authorization server that repeats what it was sent in each text that it may send.
type echo struct {
	*httptest.Server
	mu      sync.Mutex
	secrets []string // that it was sent
	answer  func(w http.ResponseWriter, repeated string)
	device  string // the answer of the endpoint for devices; empty for that of the others
}

// secretFields are the fields of a form that nobody else may know.
var secretFields = []string{"client_secret", "code", "code_verifier", "device_code", "refresh_token"}

func newEcho(t *testing.T, answer func(http.ResponseWriter, string)) *echo {
	e := &echo{answer: answer}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	repeated := signintest.Repeated(r) // it reads the form
	e.mu.Lock()
	for _, name := range secretFields {
		e.secrets = append(e.secrets, r.Form[name]...)
	}
	if _, password, ok := r.BasicAuth(); ok {
		plain, _ := url.QueryUnescape(password)
		e.secrets = append(e.secrets, plain, password, strings.TrimPrefix(r.Header.Get("Authorization"), "Basic "))
	}
	device := e.device
	e.mu.Unlock()
	if r.URL.Path == "/device" && device != "" {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(device))
		return
	}
	e.answer(w, repeated)
}

// leaks returns the secrets that a text shows of those that the server was sent, and of more.
func (e *echo) leaks(text string, more ...string) (found []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return leaks(text, append(more, e.secrets...)...)
}

// leaks returns the secrets that a text shows, in any spelling.
func leaks(text string, secrets ...string) (found []string) {
	for _, s := range secrets {
		inJSON, _ := json.Marshal(s)
		for _, spelled := range []string{s, url.QueryEscape(s), url.PathEscape(s), strings.Trim(string(inJSON), `"`), base64.RawStdEncoding.EncodeToString([]byte(s)), base64.RawURLEncoding.EncodeToString([]byte(s))} {
			if s != "" && strings.Contains(strings.ToLower(text), strings.ToLower(spelled)) {
				found = append(found, spelled)
			}
		}
	}
	return found
}

// server returns it as a server, which only a card names.
func (e *echo) server() *Server {
	return &Server{AuthURL: e.URL + "/auth", TokenURL: e.URL + "/token", DeviceURL: e.URL + "/device"}
}

// raw answers with bytes that are no proper answer.
func raw(t *testing.T, w http.ResponseWriter, text string) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close()
	_, _ = conn.Write([]byte(text)) // the client may have gone
}

// places are the texts of an answer in which a server may repeat a request.
func places(t *testing.T) map[string]func(w http.ResponseWriter, repeated string) {
	asJSON := func(status int, member string) func(w http.ResponseWriter, repeated string) {
		return func(w http.ResponseWriter, repeated string) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(map[string]string{"error": "invalid_request", member: repeated})
		}
	}
	oneLine := func(text string) string { return strings.NewReplacer("\r", "", "\n", "").Replace(text) }
	return map[string]func(w http.ResponseWriter, repeated string){
		"the error":       asJSON(400, "error"),
		"the description": asJSON(400, "error_description"),
		"the end": func(w http.ResponseWriter, repeated string) {
			asJSON(401, "error_description")(w, strings.Repeat("y", 150)+repeated)
		},
		"an error with 200": asJSON(200, "error_description"),
		"the address":       asJSON(400, "error_uri"),
		"a form": func(w http.ResponseWriter, repeated string) {
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(400)
			_, _ = w.Write([]byte(url.Values{"error": {"x"}, "error_description": {repeated}}.Encode()))
		},
		"a page": func(w http.ResponseWriter, repeated string) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(500)
			_, _ = w.Write([]byte("<p>" + repeated))
		},
		"the status": func(w http.ResponseWriter, repeated string) {
			raw(t, w, "HTTP/1.1 503 "+oneLine(repeated)+"\r\nContent-Length: 0\r\n\r\n")
		},
		"no status": func(w http.ResponseWriter, repeated string) { raw(t, w, oneLine(repeated)+"\r\n\r\n") },
		"a redirect": func(w http.ResponseWriter, repeated string) {
			raw(t, w, "HTTP/1.1 307 T\r\nLocation: http://["+url.PathEscape(repeated)+"\r\nContent-Length: 0\r\n\r\n")
		},
		"another host": func(w http.ResponseWriter, repeated string) {
			raw(t, w, "HTTP/1.1 307 T\r\nLocation: http://x.example/"+url.PathEscape(repeated)+"\r\nContent-Length: 0\r\n\r\n")
		},
		"the type": func(w http.ResponseWriter, repeated string) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(map[string]string{"access_token": "t0ken-of-the-answer", "token_type": repeated + "t0ken-of-the-answer"})
		},
	}
}

// Whatever a server repeats of a request, and where, no secret of it reaches an error.
func TestWhatAServerRepeatsIsMasked(t *testing.T) {
	const secret = `cl1ent/s3cret+"é%`
	grants := map[string]func(ctx context.Context, r *Request) error{
		"client credentials": func(ctx context.Context, r *Request) error { _, err := ClientCredentials(ctx, r); return err },
		"refresh":            func(ctx context.Context, r *Request) error { _, err := Refresh(ctx, r, "r3fresh/t+ken"); return err },
		"device": func(ctx context.Context, r *Request) error {
			_, err := Device(ctx, r, func(DeviceGrant) {})
			return err
		},
		"code": func(ctx context.Context, r *Request) error {
			pasted := make(chan string, 1)
			_, err := Code(ctx, r, func(address, back string) {
				u, _ := url.Parse(address)
				pasted <- back + "?" + url.Values{"code": {"c0de/of=the+user"}, "state": {u.Query().Get("state")}}.Encode()
			}, pasted)
			return err
		},
	}
	for place, answer := range places(t) {
		for name, grant := range grants {
			t.Run(place+", "+name, func(t *testing.T) {
				t.Parallel()
				e := newEcho(t, answer)
				r := &Request{HTTP: HTTPClient(&http.Transport{}), Server: e.server(), ClientID: "desk", Secret: secret}
				err := grant(t.Context(), r)
				if err == nil || strings.ContainsFunc(err.Error(), func(c rune) bool { return c < ' ' }) || len(err.Error()) > 1200 {
					t.Fatalf("got %v, want one sentence", err)
				}
				if found := e.leaks(err.Error(), secret, "t0ken-of-the-answer"); len(found) > 0 || len(e.secrets) == 0 && name != "device" {
					t.Errorf("got %q in %q", found, err)
				}
			})
		}
	}
}

// What a server says of a device is shown to be opened and entered, so that it must have no secret.
func TestADeviceGrantShowsNoSecret(t *testing.T) {
	for name, c := range map[string]struct {
		answer, complete, want string
	}{
		"a poll":               {`{"device_code":"d3vice-code","user_code":"AB-CD","verification_uri":"https://login.example/d","verification_uri_complete":"https://login.example/d?c=AB-CD","interval":1}`, "https://login.example/d?c=AB-CD", "refused: invalid_request ("},
		"one code for both":    {`{"device_code":"AB-CD-EF-GH","user_code":"AB-CD-EF-GH","verification_uri":"https://login.example/d","interval":1}`, "", "refused: invalid_request ("},
		"a code in an address": {`{"device_code":"d3vice-code","user_code":"AB-CD","verification_uri":"https://login.example/d?d3vice-code"}`, "", "contains a secret of this sign-in"},
		"a complete address":   {`{"device_code":"d3vice-code","user_code":"AB-CD","verification_uri":"https://login.example/d","verification_uri_complete":"https://login.example/d?x=d3vice-code","interval":1}`, "", "refused: invalid_request ("},
		"the client's secret":  {`{"device_code":"d3vice-code","user_code":"cl1ent-s3cret","verification_uri":"https://login.example/d"}`, "", "contains a secret of this sign-in"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEcho(t, func(w http.ResponseWriter, repeated string) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(400)
				_ = json.NewEncoder(w).Encode(map[string]string{"error": "invalid_request", "error_description": repeated})
			})
			e.device = c.answer
			r := &Request{HTTP: HTTPClient(&http.Transport{}), Server: e.server(), ClientID: "desk", Secret: "cl1ent-s3cret"}
			_, err := Device(t.Context(), r, func(g DeviceGrant) {
				if g.Complete != c.complete || leaks(g.URL+g.Complete, "cl1ent-s3cret", "d3vice-code") != nil {
					t.Errorf("got %+v, want no secret in an address", g)
				}
			})
			if err == nil || !strings.Contains(err.Error(), c.want) || leaks(err.Error(), "cl1ent-s3cret", "d3vice-code") != nil {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// The page to which a browser comes back may repeat what Parley has sent with it.
func TestARedirectShowsNoSecret(t *testing.T) {
	r := &Request{HTTP: HTTPClient(http.DefaultTransport), Server: &Server{AuthURL: "https://login.example/auth", TokenURL: "https://login.example/token"}, ClientID: "desk", Secret: "cl1ent-s3cret"}
	pasted := make(chan string, 1)
	state := ""
	_, err := Code(t.Context(), r, func(address, back string) {
		u, _ := url.Parse(address)
		state = u.Query().Get("state")
		pasted <- back + "?" + url.Values{"state": {state}, "code": {"c0de-of-the-user"}, "error": {"bad " + state}, "error_description": {"c0de-of-the-user cl1ent-s3cret\x1b[2J"}}.Encode()
	}, pasted)
	if err == nil || !strings.Contains(err.Error(), "login.example refused: bad •••") || strings.Contains(err.Error(), state) || strings.Contains(err.Error(), "s3cret") || strings.ContainsAny(err.Error(), "\x1b") || strings.Contains(err.Error(), "c0de-of") {
		t.Errorf("got %v, want it masked", err)
	}
}

// Documents of a server may name the client's secret, which it knows.
func TestMetadataShowNoSecret(t *testing.T) {
	const secret = "cl1ent-s3cret"
	s := signintest.Start(t)
	document := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
	}
	for name, answer := range map[string]http.HandlerFunc{
		"another issuer": document(`{"issuer":"https://` + secret + `.example/` + secret + `"}`),
		"a bad endpoint": document(`{"issuer":"` + s.Issuer + `","token_endpoint":"ftp://x/` + secret + `"}`),
		"without TLS":    document(`{"issuer":"` + s.Issuer + `","token_endpoint":"http://x.example/` + secret + `"}`),
		"another status": func(w http.ResponseWriter, _ *http.Request) {
			raw(t, w, "HTTP/1.1 418 "+secret+"\x1b[2J\r\nContent-Length: 0\r\n\r\n")
		},
		"no status": func(w http.ResponseWriter, _ *http.Request) { raw(t, w, secret+"\r\n\r\n") },
		"another address": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://"+secret+".example/", http.StatusFound)
		},
	} {
		s.Instead("/meta", answer)
		a := &Login{Step: Step{Scheme: a2a.SecurityScheme{OAuth2MetadataURL: s.Issuer + "/meta"}}, Settings: Settings{ClientID: "desk", Secret: secret}}
		if _, err := Find(t.Context(), HTTPClient(http.DefaultTransport), a); err == nil || strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: got %v, want it masked", name, err)
		}
	}
}

// What is kept of a token has none of the secrets with which it was had.
func TestAnIdentityRepeatsNoSecret(t *testing.T) {
	token := "e30." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"ann cl1ent-s3cret","aud":["https://agent.example","cl1ent-s3cret"]}`)) + ".sig"
	e := newEcho(t, func(w http.ResponseWriter, _ string) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"access_token":%q,"refresh_token":"r3fresh-token","token_type":"bearer","scope":"read cl1ent-s3cret r3fresh-token write"}`, token)
	})
	c := newClient(t, &Memory{})
	got, err := c.grant(t.Context(), &Login{Origin: "https://agent.example", Step: Step{Kind: ClientSecret}, Settings: Settings{ClientID: "desk", Secret: "cl1ent-s3cret"}}, e.server())
	if err != nil || strings.Join(got.Identity.Scopes, " ") != "read write" || got.Identity.User != "ann •••" || strings.Contains(fmt.Sprintf("%+v", got), "s3cret") {
		t.Errorf("got %+v, %v, want no secret in it", got, err)
	}
	e.answer = func(w http.ResponseWriter, repeated string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(400)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": "server_error", "error_description": repeated + " " + token})
	}
	if _, err := c.Renew(t.Context(), got.Identity); err == nil || e.leaks(err.Error(), token, "r3fresh-token") != nil || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("got %v, want it masked", err)
	}
	if _, ok := error(err).(*oauth2.RetrieveError); ok {
		t.Error("got the error of the library, want a clause")
	}
}
