package signin

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
	"parley/internal/signin/signintest"
)

// prepare returns a request to a server, found by its metadata.
func prepare(t *testing.T, s *signintest.Server, client, secret string, scopes ...string) *Request {
	t.Helper()
	r := &Request{HTTP: HTTPClient(http.DefaultTransport), ClientID: client, Secret: secret, Scopes: scopes}
	server, err := Find(t.Context(), r.HTTP, &Login{Step: Step{Scheme: a2a.SecurityScheme{Type: "openIdConnect", OpenIDConnectURL: s.Issuer}}})
	if err != nil {
		t.Fatal(err)
	}
	r.Server = server
	return r
}

func TestACodeIsExchangedForAToken(t *testing.T) {
	s := signintest.Start(t)
	r := prepare(t, s, signintest.Public, "", "openid", "offline_access")
	pages := make(chan string, 1)
	token, err := Code(t.Context(), r, func(address, _ string) {
		u, _ := url.Parse(address)
		if q := u.Query(); q.Get("code_challenge_method") != "S256" || q.Get("state") == "" || q.Get("nonce") == "" {
			t.Errorf("got %s, want a challenge, a state and a nonce", address)
		}
		go func() {
			_, text, err := s.Browse(t.Context(), address)
			if err != nil {
				t.Error(err)
			}
			pages <- text
		}()
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if page := <-pages; !strings.HasPrefix(page, "You are signed in.") {
		t.Errorf("got the page %q, want that the user is signed in", page)
	}
	if token.AccessToken == "" || token.RefreshToken == "" || token.Expiry.IsZero() {
		t.Errorf("got %+v, want a token that can be renewed", token)
	}
	again, err := Refresh(t.Context(), r, token.RefreshToken)
	if err != nil || again.AccessToken == token.AccessToken || again.RefreshToken == token.RefreshToken {
		t.Errorf("got %+v, %v, want another token and another refresh token", again, err)
	}
	if _, err := Refresh(t.Context(), r, token.RefreshToken); !Ended(err) {
		t.Errorf("got %v for a refresh token that was used, want that the sign-in has ended", err)
	}
}

// On a machine without a browser, the address of the last page is pasted.
func TestACodeIsPasted(t *testing.T) {
	s := signintest.Start(t)
	r := prepare(t, s, signintest.Public, "", "openid")
	pasted := make(chan string, 1)
	token, err := Code(t.Context(), r, func(address, _ string) {
		back, err := s.Visit(t.Context(), address)
		if err != nil {
			t.Error(err)
		}
		pasted <- " " + back + "\n"
	}, pasted)
	if err != nil || token.AccessToken == "" {
		t.Errorf("got %+v, %v, want a token", token, err)
	}
	pasted <- "http://127.0.0.1/callback?code=stolen&state=guessed"
	if _, err := Code(t.Context(), r, func(string, string) {}, pasted); err == nil || !strings.Contains(err.Error(), "another sign-in") {
		t.Errorf("got %v, want the refusal of another sign-in's page", err)
	}
}

func TestAnAnswerThatIsNotOursIsRefused(t *testing.T) {
	server := &Server{Issuer: "https://login.example", TokenURL: "https://login.example/token", NamesIssuer: true}
	w := &visit{request: &Request{Server: server}, state: "s3cret-state"}
	for query, want := range map[string]string{
		"":                          "another sign-in",
		"code=c":                    "another sign-in",
		"code=c&state=other":        "another sign-in",
		"code=c&state=s3cret-state": "does not name the authorization server",
		"code=c&state=s3cret-state&iss=https://evil":                                                    "another authorization server, https://evil",
		"state=s3cret-state&iss=https://login.example":                                                  "has no code",
		"error=access_denied&state=s3cret-state&iss=https://login.example":                              "the sign-in was refused at login.example",
		"error=x%1b[2J&error_description=%1b]0t%07&state=s3cret-state&iss=https://login.example&code=c": "login.example refused: x [2J (]0t)",
	} {
		q, _ := url.ParseQuery(query)
		if got := w.read(q); got.err == nil || !strings.Contains(got.err.Error(), want) || strings.Contains(got.err.Error(), "\x1b") {
			t.Errorf("%s: got %+v, want %q", query, got, want)
		}
	}
	q, _ := url.ParseQuery("code=good&state=s3cret-state&iss=https://login.example")
	if got := w.read(q); got.err != nil || got.text != "good" {
		t.Errorf("got %+v, want the code", got)
	}
}

// Why nothing can listen is said, because another port may not help.
func TestAPortThatCannotBeUsedSaysWhy(t *testing.T) {
	r := &Request{Port: 80}
	for want, cause := range map[string]error{
		"port 80 of this machine is in use":             errors.New("address already in use"),
		"does not let Parley listen at port 80: choose": os.ErrPermission,
		"context canceled":                              context.Canceled,
	} {
		if err := r.noPort(&net.OpError{Op: "listen", Err: os.NewSyscallError("bind", cause)}); !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %q", cause, err, want)
		}
	}
}

// A browser that comes back to port 80 does not name the port.
func TestABrowserComesBackToAnyPort(t *testing.T) {
	for host, want := range map[string]int{"127.0.0.1": 200, "127.0.0.1:8712": 200, "localhost:80": 200, "evil.example": 404, "evil.example:80": 404, "": 404} {
		w := &visit{request: &Request{Server: &Server{}}, state: "s3cret-state", codes: make(chan code, 1)}
		answer := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodGet, "/callback?code=c&state=s3cret-state", nil)
		req.Host = host
		w.ServeHTTP(answer, req)
		if answer.Code != want {
			t.Errorf("%q: got status %d, want %d", host, answer.Code, want)
		}
	}
}

// A page of somebody else that knows the port cannot end the visit.
func TestStrangersDoNotEndAVisit(t *testing.T) {
	s := signintest.Start(t)
	r := prepare(t, s, signintest.Public, "", "openid")
	var browser sync.WaitGroup
	_, err := Code(t.Context(), r, func(address, _ string) {
		u, _ := url.Parse(address)
		back := u.Query().Get("redirect_uri")
		browser.Go(func() {
			for _, call := range []struct{ method, address, host string }{
				{"GET", back + "?code=stolen&state=guessed", ""},
				{"POST", back + "?code=stolen", ""},
				{"GET", strings.Replace(back, "/callback", "/else", 1), ""},
				{"GET", back + "?state=" + u.Query().Get("state") + "&code=x", "evil.example:80"},
			} {
				req, _ := http.NewRequest(call.method, call.address, nil)
				req.Host = call.host
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Error(err)
					continue
				}
				resp.Body.Close()
				if resp.StatusCode < 400 {
					t.Errorf("%+v: got status %d, want a refusal", call, resp.StatusCode)
				}
			}
			if _, _, err := s.Browse(t.Context(), address); err != nil {
				t.Error(err)
			}
		})
	}, nil)
	browser.Wait() // for its last page
	if err != nil {
		t.Errorf("got %v, want the token of the user", err)
	}
}

func TestAServiceGetsATokenByItsSecret(t *testing.T) {
	s := signintest.Start(t)
	r := prepare(t, s, signintest.Service, signintest.Secret)
	if token, err := ClientCredentials(t.Context(), r); err != nil || token.AccessToken == "" {
		t.Errorf("got %+v, %v, want a token", token, err)
	}
	r.Secret = "wr0ng-secret"
	if _, err := ClientCredentials(t.Context(), r); err == nil || strings.Contains(err.Error(), "wr0ng") || !strings.Contains(err.Error(), " refused: ") {
		t.Errorf("got %v, want a refusal without the secret", err)
	}
	r.Secret = ""
	if _, err := ClientCredentials(t.Context(), r); err == nil || !strings.Contains(err.Error(), "PARLEY_CLIENT_SECRET") {
		t.Errorf("got %v, want the name of the variable", err)
	}
}

func TestACodeIsEnteredAtAnotherDevice(t *testing.T) {
	s := signintest.Start(t)
	r := prepare(t, s, signintest.Devices, signintest.Secret, "openid")
	token, err := Device(t.Context(), r, func(g DeviceGrant) {
		if g.Code == "" || !strings.HasPrefix(g.URL, s.Issuer) {
			t.Errorf("got %+v, want a code and an address", g)
		}
		if err := s.Agree(t.Context(), g.Code); err != nil {
			t.Error(err)
		}
	})
	if err != nil || token.AccessToken == "" {
		t.Errorf("got %+v, %v, want a token", token, err)
	}
}

func TestFaultsOfAServerAreOneSentence(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + l.Addr().String()
	l.Close()
	elsewhere := signintest.Start(t)
	write := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"HTML":             {write(200, "text/html", "<html>Welcome"), "something that is no token"},
		"HTML as an error": {write(503, "text/html", "<html>Down"), "answered 503"},
		"no token":         {write(200, "application/json", "{}"), "something that is no token"},
		"another type":     {write(200, "application/json", `{"access_token":"x","token_type":"mac"}`), `the type "mac"`},
		"a broken token":   {write(200, "application/json", `{"access_token":"a\nb","token_type":"bearer"}`), "HTTP cannot carry"},
		"a hostile error":  {write(400, "application/json", `{"error":"invalid_\u001b[2J","error_description":"`+strings.Repeat("y", 5000)+`"}`), "refused: invalid_ [2J (yyy"},
		"another host": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.Issuer+"/x", http.StatusTemporaryRedirect)
		}, "does not follow with credentials"},
		"an endless answer": {func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(make([]byte, 2*maxAnswer)) }, "something that is no token"},
	} {
		t.Run(name, func(t *testing.T) {
			s := signintest.Start(t)
			r := prepare(t, s, signintest.Service, signintest.Secret)
			s.Instead(mustPath(t, r.Server.TokenURL), c.answer)
			_, err := ClientCredentials(t.Context(), r)
			if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 600 || strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	r := &Request{HTTP: HTTPClient(http.DefaultTransport), Server: &Server{TokenURL: nobody}, ClientID: "c", Secret: "s"}
	if _, err := ClientCredentials(t.Context(), r); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("got %v, want that nobody is there", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ClientCredentials(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the end of the context", err)
	}
}

func mustPath(t *testing.T, raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u.Path
}

func TestMetadataAreThoseOfTheirServer(t *testing.T) {
	s := signintest.Start(t)
	client := HTTPClient(http.DefaultTransport)
	s.Instead("/meta", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"issuer":"https://other.example","token_endpoint":"https://other.example/t"}`))
	})
	s.Instead("/plain", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"issuer":"` + s.Issuer + `","token_endpoint":"http://other.example/t"}`))
	})
	s.Instead("/types", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"issuer":"` + s.Issuer + `","token_endpoint":["` + s.Issuer + `/t"]}`))
	})
	for name, c := range map[string]struct {
		step Step
		want string
	}{
		"nothing":           {Step{}, "neither the card nor"},
		"of another server": {Step{Scheme: a2a.SecurityScheme{OAuth2MetadataURL: s.Issuer + "/meta"}}, "another server, https://other.example"},
		"without TLS":       {Step{Scheme: a2a.SecurityScheme{OAuth2MetadataURL: s.Issuer + "/plain"}}, "is without TLS"},
		"a wrong type":      {Step{Scheme: a2a.SecurityScheme{OAuth2MetadataURL: s.Issuer + "/types"}}, "whose member token_endpoint has a wrong type"},
		"plain metadata":    {Step{Scheme: a2a.SecurityScheme{OAuth2MetadataURL: "http://login.example/m"}}, "need an https address"},
		"a file":            {Step{Scheme: a2a.SecurityScheme{OAuth2MetadataURL: "file:///etc/passwd"}}, "need an https address"},
		"missing":           {Step{Scheme: a2a.SecurityScheme{OAuth2MetadataURL: s.Issuer + "/.well-known/none"}}, "answered 404"},
		"a flow":            {Step{Flow: a2a.OAuthFlow{TokenURL: "javascript:alert(1)"}}, "no address of HTTP"},
	} {
		if got, err := Find(t.Context(), client, &Login{Step: c.step}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %+v, %v, want %q", name, got, err, c.want)
		}
	}
}
