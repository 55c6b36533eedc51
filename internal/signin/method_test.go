package signin

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/signin/signintest"
)

// A counter is an authorization server that answers each request with the next of its answers, and notes how
// the client said who it is.
type counter struct {
	*httptest.Server
	mu      sync.Mutex
	answers []string // of the endpoint for tokens: a status and a body
	named   []string // how the client named itself, for each request
	spent   []string // codes, refresh tokens and device codes that came
}

func newCounter(t *testing.T, answers ...string) *counter {
	c := &counter{answers: answers}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Path == "/device" {
		_, _ = w.Write([]byte(`{"device_code":"d3vice-code","user_code":"AB-CD","verification_uri":"https://login.example/d","interval":1}`))
		return
	}
	named := "none"
	_, _, basic := r.BasicAuth()
	switch {
	case basic && r.PostFormValue("client_secret") != "":
		named = "both"
	case basic:
		named = "basic " + r.Header.Get("Authorization")
	case r.Header.Get("Authorization") != "":
		named = r.Header.Get("Authorization")
	case r.PostFormValue("client_secret") != "":
		named = "post " + r.PostFormValue("client_id") + " " + r.PostFormValue("client_secret")
	case r.PostFormValue("client_id") != "":
		named = "none " + r.PostFormValue("client_id")
	}
	c.named = append(c.named, named)
	c.spent = append(c.spent, r.PostFormValue("code")+r.PostFormValue("refresh_token")+r.PostFormValue("device_code"))
	answer := c.answers[min(len(c.named), len(c.answers))-1]
	status, body, _ := strings.Cut(answer, " ")
	w.WriteHeader(map[string]int{"200": 200, "400": 400, "401": 401, "503": 503}[status])
	_, _ = w.Write([]byte(body))
}

// server returns it as a server with methods.
func (c *counter) server(methods ...string) *Server {
	return &Server{AuthURL: c.URL + "/auth", TokenURL: c.URL + "/token", DeviceURL: c.URL + "/device", RevokeURL: c.URL + "/revoke", Methods: methods}
}

const (
	given   = `200 {"access_token":"t0ken","token_type":"Bearer","refresh_token":"next-refresh"}`
	pending = `400 {"error":"authorization_pending"}`
)

// grants are the four ways to get a token, with what each spends.
var grants = map[string]struct {
	spends string
	run    func(t *testing.T, r *Request) error
}{
	"client credentials": {"", func(t *testing.T, r *Request) error { _, err := ClientCredentials(t.Context(), r); return err }},
	"refresh": {"the-refresh", func(t *testing.T, r *Request) error {
		_, err := Refresh(t.Context(), r, "the-refresh")
		return err
	}},
	"device": {"d3vice-code", func(t *testing.T, r *Request) error {
		_, err := Device(t.Context(), r, func(DeviceGrant) {})
		return err
	}},
	"code": {"the-code", func(t *testing.T, r *Request) error {
		pasted := make(chan string, 1)
		_, err := Code(t.Context(), r, func(address, back string) {
			u, _ := url.Parse(address)
			pasted <- back + "?" + url.Values{"code": {"the-code"}, "state": {u.Query().Get("state")}}.Encode()
		}, pasted)
		return err
	}},
}

// A client names itself in one way, and a request is sent once, whatever the server answers: a code or a
// refresh token that comes twice ends a sign-in.
func TestARequestForATokenIsSentOnce(t *testing.T) {
	basic := "basic Basic " + base64.StdEncoding.EncodeToString([]byte("desk:s3cret%2F%2B"))
	post, none := "post desk s3cret/+", "none desk"
	for name, grant := range grants {
		for _, c := range []struct {
			methods []string
			secret  string
			want    string
		}{
			{nil, "s3cret/+", basic}, // only a card names the endpoints, or metadata are silent
			{[]string{}, "s3cret/+", basic},
			{[]string{methodPost, methodBasic}, "s3cret/+", basic},
			{[]string{"private_key_jwt", methodPost}, "s3cret/+", post},
			{[]string{methodNone}, "s3cret/+", none},
			{nil, "", none},
			{[]string{methodBasic}, "", none},
			{[]string{methodPost, methodNone}, "", none},
			{[]string{"private_key_jwt"}, "", none},
		} {
			for _, answer := range []string{given, `400 {"error":"invalid_grant"}`, `401 {"error":"invalid_client"}`, `400 {"error":"invalid_request"}`, `503 <html>`} {
				if name == "client credentials" && c.secret == "" {
					continue // it needs one
				}
				if name == "device" && (answer != given && answer[:3] != "401" || len(c.methods) != 0 && c.want != post) {
					continue // it waits for a second each time
				}
				t.Run(fmt.Sprintf("%s %v %q %s", name, c.methods, c.secret, answer[:min(len(answer), 30)]), func(t *testing.T) {
					t.Parallel()
					s := newCounter(t, answer)
					r := &Request{HTTP: HTTPClient(&http.Transport{}), Server: s.server(c.methods...), ClientID: "desk", Secret: c.secret}
					err := grant.run(t, r)
					if (err == nil) != (answer == given) || !slices.Equal(s.named, []string{c.want}) || s.spent[0] != grant.spends {
						t.Errorf("got %v and the requests %q, want one with %q", err, s.named, c.want)
					}
				})
			}
		}
	}
}

// A device asks as often as it must: once until the user has entered the code, and once after.
func TestAPollIsNotDoubled(t *testing.T) {
	for name, last := range map[string]string{"accepted": given, "refused": `400 {"error":"access_denied"}`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newCounter(t, pending, last)
			r := &Request{HTTP: HTTPClient(&http.Transport{}), Server: s.server(), ClientID: "desk", Secret: "s3cret"}
			_, err := Device(t.Context(), r, func(DeviceGrant) {})
			if (err == nil) != (last == given) || len(s.named) != 2 {
				t.Errorf("got %v after %d polls, want 2", err, len(s.named))
			}
		})
	}
}

// Methods that Parley does not have are said before anybody signs in and before anything is sent.
func TestMethodsThatParleyHasNotAreSaid(t *testing.T) {
	for name, grant := range grants {
		s := newCounter(t, given)
		r := &Request{HTTP: HTTPClient(http.DefaultTransport), Server: s.server("private_key_jwt", "tls_client_auth\x1b[2J", "s3cret-s3cret"), ClientID: "desk", Secret: "s3cret-s3cret"}
		err := grant.run(t, r)
		if err == nil || !strings.Contains(err.Error(), "knows its clients by private_key_jwt, tls_client_auth [2J, ••• alone, and Parley can only use client_secret_basic and client_secret_post") || len(s.named) != 0 {
			t.Errorf("%s: got %v after %d requests, want the methods and none", name, err, len(s.named))
		}
	}
}

// A client that is not accepted is told how it was named.
func TestARefusedClientIsToldHowItWasNamed(t *testing.T) {
	for want, methods := range map[string][]string{"with its secret in a header (client_secret_basic)": nil, "with its secret in the body (client_secret_post)": {methodPost}, "without a secret": {methodNone}} {
		s := newCounter(t, `401 {"error":"invalid_client"}`)
		r := &Request{HTTP: HTTPClient(http.DefaultTransport), Server: s.server(methods...), ClientID: "desk", Secret: "s3cret"}
		if _, err := ClientCredentials(t.Context(), r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// The methods of a server are read of its metadata, and are those of the next run and of the end of a token.
func TestMethodsAreThoseOfTheMetadata(t *testing.T) {
	s := newCounter(t, given)
	meta := signintest.Start(t)
	meta.Instead("/meta", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"issuer":%q,"token_endpoint":"%s/token","revocation_endpoint":"%s/revoke","token_endpoint_auth_methods_supported":["client_secret_post"]}`, meta.Issuer, s.URL, s.URL)
	})
	step := Step{Kind: ClientSecret}
	step.Scheme.OAuth2MetadataURL = meta.Issuer + "/meta"
	c := newClient(t, &Memory{})
	got, err := c.Authorize(t.Context(), &Login{Origin: "https://agent.example", Step: step, Settings: Settings{ClientID: "desk", Secret: "s3cret"}})
	if err != nil {
		t.Fatal(err)
	}
	next := NewKeeper(c.Keeper.index, c.Keeper.vault, c.HTTP, time.Now)
	of, err := next.Of("https://agent.example")
	if err != nil || len(of) != 1 {
		t.Fatalf("got %+v, %v, want the identity", of, err)
	}
	if _, err := next.Renew(t.Context(), of[0]); err != nil {
		t.Error(err)
	}
	if told, err := next.SignOut(t.Context(), got.Identity); err != nil || !told {
		t.Errorf("got %v, %v, want the token ended", told, err)
	}
	if want := slices.Repeat([]string{"post desk s3cret"}, 3); !slices.Equal(s.named, want) {
		t.Errorf("got %q, want %q", s.named, want)
	}
}

// A server can name any interval and any end for a device code.
func TestAnyTimesOfADeviceCodeAreASentence(t *testing.T) {
	for times, want := range map[string]string{
		`"interval":-1,"expires_in":1`:                  "nobody entered the code in time",
		`"interval":9223372036854775807,"expires_in":1`: "nobody entered the code in time",
		`"interval":1,"expires_in":-5`:                  "nobody entered the code in time",
		`"interval":1,"expires_in":9223372036854775807`: "nobody entered the code in time",
		`"interval":"x"`:                                "something that is no token",
		`"interval":1e3`:                                "something that is no token",
	} {
		t.Run(times, func(t *testing.T) {
			t.Parallel()
			e := newEcho(t, func(http.ResponseWriter, string) { t.Error("got a poll") })
			e.device = `{"device_code":"d3vice-code","user_code":"AB-CD","verification_uri":"https://login.example/d",` + times + `}`
			r := &Request{HTTP: HTTPClient(&http.Transport{}), Server: e.server(), ClientID: "desk"}
			if _, err := Device(t.Context(), r, func(DeviceGrant) {}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
}
