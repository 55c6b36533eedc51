package a2a_test

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"parley/a2a"
)

func discardLog() *log.Logger { return log.New(io.Discard, "", 0) }

const (
	bearer = "bearer-hush-hush"
	apiKey = "key-hush-hush"
)

func keyCard(in, name string) *a2a.Card {
	return &a2a.Card{
		SecuritySchemes: []a2a.SecurityScheme{
			{Key: "other", Type: "apiKey", In: "header", Name: "X-Not-This"},
			{Key: "http", Type: "http", Scheme: "Bearer"},
			{Key: "wanted", Type: "apiKey", In: in, Name: name},
		},
		Security: []a2a.SecurityRequirement{{{Scheme: "http"}}, {{Scheme: "wanted"}}},
	}
}

func TestCredentialsGoWhereTheCardWantsThem(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		card   *a2a.Card
		change func(*a2a.Options)
		check  func(*http.Request) string
		want   string
	}{
		{"bearer", nil, func(o *a2a.Options) { o.Bearer = bearer + "\n" }, func(r *http.Request) string { return r.Header.Get("Authorization") }, "Bearer " + bearer},
		{"key in a header", keyCard("header", "X-Desk"), func(o *a2a.Options) { o.APIKey = apiKey }, func(r *http.Request) string { return r.Header.Get("X-Desk") + r.Header.Get("X-Api-Key") }, apiKey},
		{"key in the query", keyCard("query", "desk"), func(o *a2a.Options) { o.APIKey = apiKey }, func(r *http.Request) string { return r.URL.RawQuery }, "x=1&desk=" + apiKey},
		{"key in a cookie", keyCard("cookie", "desk"), func(o *a2a.Options) { o.APIKey = apiKey }, func(r *http.Request) string { return r.Header.Get("Cookie") }, "desk=" + apiKey},
		{"the only scheme", &a2a.Card{SecuritySchemes: []a2a.SecurityScheme{{Key: "k", Type: "apiKey", In: "header", Name: "X-Only"}}},
			func(o *a2a.Options) { o.APIKey = apiKey }, func(r *http.Request) string { return r.Header.Get("X-Only") }, apiKey},
		{"a bearer token that the card excludes", &a2a.Card{SecuritySchemes: []a2a.SecurityScheme{{Key: "k", Type: "apiKey", In: "header", Name: "X-Only"}}},
			func(o *a2a.Options) { o.Bearer, o.APIKey = bearer, apiKey }, func(r *http.Request) string { return r.Header.Get("Authorization") }, ""},
		{"secret header", nil, func(o *a2a.Options) {
			o.Headers = []a2a.HeaderPair{{Name: "x-pass", Value: apiKey}, {Name: "X-Plain", Value: "a"}, {Name: "X-Plain", Value: "b"}}
		}, func(r *http.Request) string { return r.Header.Get("X-Pass") + strings.Join(r.Header["X-Plain"], "") }, apiKey + "ab"},
		{"header over bearer", nil, func(o *a2a.Options) {
			o.Bearer = bearer
			o.Headers = []a2a.HeaderPair{{Name: "Authorization", Value: "Basic " + apiKey}}
		}, func(r *http.Request) string { return strings.Join(r.Header["Authorization"], "|") }, "Basic " + apiKey},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got string
			agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
				got = tt.check(r)
				// The agent echoes what it got. The echo must not appear in any record.
				w.Header().Set("X-Echo", r.Header.Get("Authorization")+apiKey)
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":"id-1","error":{"code":-32000,"message":"bad `+bearer+apiKey+`"}}`)
			})
			tp := newTape()
			o := options(tp, agent.URL)
			tt.change(&o)
			c := a2a.NewClient(profile(a2a.V10, agent.URL+"/?x=1"), tt.card, o)
			defer c.Close()
			out := c.Do(t.Context(), request(a2a.OpSend), a2a.Hooks{})
			if got != tt.want {
				t.Errorf("agent got credentials %q, want %q", got, tt.want)
			}
			secrets := []string{apiKey}
			if o.Bearer != "" {
				secrets = append(secrets, bearer)
			}
			if o.APIKey == "" && o.Headers == nil {
				secrets = secrets[1:]
			}
			checkNoSecrets(t, tp, secrets...)
			if len(tp.records[0].Redactions) == 0 {
				t.Error("got no redactions in the request record, want some")
			}
			for _, s := range secrets {
				if strings.Contains(out.Err.Error(), s) {
					t.Errorf("got error %q, want it without secret %q", out.Err, s)
				}
			}
		})
	}
}

// checkNoSecrets fails if a record contains one of the secrets.
func checkNoSecrets(t *testing.T, tp *tape, secrets ...string) {
	t.Helper()
	for i, r := range tp.records {
		var b bytes.Buffer
		b.Write(r.Raw)
		b.Write(r.Data)
		if r.Head != nil {
			b.WriteString(r.Head.URL)
			_ = r.Head.Header.Write(&b)
		}
		if r.End != nil {
			b.WriteString(r.End.Sentence + r.End.Detail)
		}
		b.WriteString(r.Call.Endpoint)
		for _, e := range tp.updates[i].Events {
			b.Write(e.Raw)
			if e.Err != nil {
				b.WriteString(e.Err.Message)
			}
		}
		for _, s := range secrets {
			if strings.Contains(b.String(), s) {
				t.Errorf("record %d (%s): got %q, want it without secret %q", r.ID, r.Kind, b.String(), s)
			}
		}
	}
}

// stranger starts a server at another origin and returns how many requests it got.
func stranger(t *testing.T) (url string, asked *atomic.Int32) {
	asked = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		_, _ = io.WriteString(w, taskAnswer)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func TestCredentialsNeverLeaveTheNamedOrigin(t *testing.T) {
	t.Parallel()
	secrets := []struct {
		name string
		set  func(*a2a.Options)
	}{
		{"bearer", func(o *a2a.Options) { o.Bearer = bearer }},
		{"API key", func(o *a2a.Options) { o.APIKey = apiKey }},
		{"secret header", func(o *a2a.Options) {
			o.Headers = []a2a.HeaderPair{{Name: "X-Pass", Value: "p"}}
		}},
		{"cookie", func(o *a2a.Options) { o.Headers = []a2a.HeaderPair{{Name: "Cookie", Value: "p"}} }},
	}
	for _, secret := range secrets {
		t.Run(secret.name, func(t *testing.T) {
			named := serve(t, answer(200, "", taskAnswer))
			other, asked := stranger(t)
			for _, allowed := range []bool{false, true} {
				tp := newTape()
				o := options(tp, named.URL)
				secret.set(&o)
				if allowed {
					o.AllowOrigins = []string{other}
				}
				c := a2a.NewClient(profile(a2a.V10, other+"/rpc"), nil, o)
				out := c.Do(t.Context(), request(a2a.OpSend), a2a.Hooks{})
				c.Close()
				tp.check(t)
				if allowed {
					if out.Err != nil || asked.Load() != 1 {
						t.Errorf("origin is allowed: got %d requests and outcome %+v, want 1 and no error", asked.Load(), out)
					}
					continue
				}
				if asked.Load() != 0 || out.End.Reason != a2a.Refused || out.End.Class != a2a.ClassOrigin || !out.RejectedUnread() {
					t.Errorf("got %d requests and outcome %+v, want none and class %q", asked.Load(), out, a2a.ClassOrigin)
				}
				sentence(t, out.End.Sentence, named.URL, other, "--allow-origin "+other)
			}
		})
	}
	t.Run("without credentials other origins are fine", func(t *testing.T) {
		other, asked := stranger(t)
		tp := newTape()
		c := a2a.NewClient(profile(a2a.V10, other), nil, options(tp, "http://named.example"))
		defer c.Close()
		if out := c.Do(t.Context(), request(a2a.OpSend), a2a.Hooks{}); out.Err != nil || asked.Load() != 1 {
			t.Errorf("no credentials: got %d requests and outcome %+v, want 1 and no error", asked.Load(), out)
		}
	})
}

func TestPushSecretsAreMaskedInTheRecordOnly(t *testing.T) {
	t.Parallel()
	var sent string
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		sent = string(b)
		_, _ = w.Write(b) // an agent may echo the configuration
	})
	tp := newTape()
	c := a2a.NewClient(profile(a2a.V10, agent.URL), nil, options(tp, agent.URL))
	defer c.Close()
	req := request(a2a.OpStream)
	req.Config.Push = &a2a.PushConfig{URL: "http://hook", Token: "tok-hush", Schemes: []string{"Bearer"}, Credentials: "cred-hush"}
	c.Do(t.Context(), req, a2a.Hooks{})
	if !strings.Contains(sent, "tok-hush") || !strings.Contains(sent, "cred-hush") {
		t.Errorf("agent got body %s, want both push secrets in it", sent)
	}
	checkNoSecrets(t, tp, "tok-hush", "cred-hush")
	if n := len(tp.records[0].Redactions); n != 2 {
		t.Errorf("got %d redactions, want 2", n)
	}
}

func TestHeaderThatHTTPCannotCarryIsRefused(t *testing.T) {
	t.Parallel()
	for _, h := range []a2a.HeaderPair{{Name: "X-A", Value: "a\r\nX-B: b"}, {Name: "X A", Value: "a"}, {Name: "", Value: "a"}, {Name: "X-Ü", Value: "a"}} {
		url, asked := stranger(t)
		o, _ := call(t, url, func(o *a2a.Options) { o.Headers = []a2a.HeaderPair{h} })
		if asked.Load() != 0 || o.End.Reason != a2a.Refused || !strings.Contains(o.End.Sentence, "header") {
			t.Errorf("header %q: got %d requests and end %+v, want none and a sentence about the header", h.Name, asked.Load(), o.End)
		}
	}
}

func TestRejectedCredentialsAreToldFromMissingOnes(t *testing.T) {
	t.Parallel()
	for _, status := range []int{401, 403} {
		agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("WWW-Authenticate", `Bearer error="`+bearer+` is stale"`)
			answer(status, "text/plain", "no")(w, r)
		})
		o, tp := call(t, agent.URL, func(o *a2a.Options) { o.Bearer = bearer })
		checkNoSecrets(t, tp, bearer)
		if o.End.Class != a2a.ClassAuth {
			t.Errorf("status %d: got end %+v, want class %q", status, o.End, a2a.ClassAuth)
		}
		sentence(t, o.End.Sentence, "did not accept the credentials")
	}
}
