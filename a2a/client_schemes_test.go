package a2a_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
)

// The card's security schemes decide which credentials go to its agent.
func TestSchemesDecideWhichCredentialsAreSent(t *testing.T) {
	t.Parallel()
	card := func(schemes ...a2a.SecurityScheme) *a2a.Card { return &a2a.Card{SecuritySchemes: schemes} }
	key := a2a.SecurityScheme{Key: "k", Type: "apiKey", In: "header", Name: "X-Key"}
	of := func(kind, scheme string) a2a.SecurityScheme {
		return a2a.SecurityScheme{Key: kind, Type: kind, Scheme: scheme}
	}
	for _, c := range []struct {
		name                  string
		card                  *a2a.Card
		bearer, key, basic    bool // which credentials the request has
		withheld              int
		pinned, named, cookie bool // headers that are always sent
	}{
		{"no card", nil, true, false, true, 1, true, true, true},
		{"no schemes", card(), true, false, true, 1, true, true, true},
		{"a key alone", card(key), false, true, false, 2, true, true, true},
		{"bearer alone", card(of("http", "Bearer")), true, false, false, 2, true, true, true},
		{"basic alone", card(of("http", "basic")), false, false, true, 2, true, true, true},
		{"http without a word", card(of("http", "")), true, false, true, 1, true, true, true},
		{"oauth2", card(of("oauth2", "")), true, false, false, 2, true, true, true},
		{"OpenID Connect", card(of("openIdConnect", "")), true, false, false, 2, true, true, true},
		{"a certificate alone", card(of("mutualTLS", "")), false, false, false, 3, true, true, true},
		{"bearer and a key", card(of("http", "bearer"), key), true, true, false, 1, true, true, true},
		{"a key in Authorization", card(a2a.SecurityScheme{Key: "k", Type: "apiKey", In: "header", Name: "Authorization"}), true, true, true, 0, true, true, true},
		{"0.1 bearer", card(of("legacy", "Bearer")), true, false, false, 2, true, true, true},
		{"0.1 api key", card(of("legacy", "apiKey")), false, false, false, 3, true, true, true},
		{"0.1 something", card(of("legacy", "corporate-sso")), true, false, true, 1, true, true, true},
		{"unknown", card(of("unknown", "")), true, false, true, 1, true, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var sent http.Header
			agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
				sent = r.Header.Clone()
				_, _ = io.WriteString(w, taskAnswer)
			})
			with := func(change func(*a2a.Options)) *a2a.Client {
				tp := newTape()
				o := options(tp, agent.URL)
				change(&o)
				client := a2a.NewClient(profile(a2a.V10, agent.URL), c.card, o)
				t.Cleanup(client.Close)
				client.Do(t.Context(), request(a2a.OpSend), a2a.Hooks{})
				checkNoSecrets(t, tp, bearer, apiKey)
				return client
			}
			holds := func(what string, want bool) {
				t.Helper()
				var all strings.Builder
				_ = sent.Write(&all)
				if got := strings.Contains(all.String(), what); got != want {
					t.Errorf("request has %q: got %t, want %t:\n%s", what, got, want, all.String())
				}
			}
			withheld := 0
			count := func(client *a2a.Client) { withheld += len(client.Cautions(agent.URL)) }
			count(with(func(o *a2a.Options) { o.Bearer = bearer }))
			holds(bearer, c.bearer)
			count(with(func(o *a2a.Options) { o.APIKey = apiKey }))
			holds(apiKey, c.key)
			count(with(func(o *a2a.Options) {
				o.Headers = []a2a.HeaderPair{{Name: "authorization", Value: "Basic " + apiKey}}
			}))
			holds(apiKey, c.basic)
			if withheld != c.withheld {
				t.Errorf("got %d withheld credentials, want %d", withheld, c.withheld)
			}
			count(with(func(o *a2a.Options) {
				o.Headers = []a2a.HeaderPair{{Name: "Authorization", Value: "Basic " + apiKey, Pinned: true}}
			}))
			holds(apiKey, c.pinned)
			count(with(func(o *a2a.Options) {
				o.Headers = []a2a.HeaderPair{{Name: "X-Named", Value: apiKey}, {Name: "Cookie", Value: bearer}}
			}))
			holds(apiKey, c.named)
			holds(bearer, c.cookie)
			if withheld != c.withheld {
				t.Errorf("got %d withheld credentials, want %d: named headers are always sent", withheld, c.withheld)
			}
		})
	}
}

// The query of a URL that the user gave is sent to its origin only, even if nothing else is
// secret: not even with the redirect of a card from one name of a site to the other.
func TestARedirectTakesNoQueryAlong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, query, to string
		change          func(*a2a.Options)
		follows         bool
	}{
		{"the same parameter", "?code=c-17", "/card.json?code=c-17", nil, false},
		{"another name", "?code=c-17", "/card.json?next=1&state=c-17", nil, false},
		{"in the path", "?ticket=t-12345678", "/t-12345678/card.json", nil, false},
		{"nothing of it", "?code=c-17", "/card.json?code=other", nil, true},
		{"public", "?region=eu", "/card.json?region=eu", func(o *a2a.Options) { o.Public = a2a.PublicNames{"Region"} }, true},
		{"allowed", "?code=c-17", "/card.json?code=c-17", func(o *a2a.Options) { o.AllowOrigins = []string{"http://agent.test"} }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 0
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Host == "www.agent.test" {
					http.Redirect(w, r, "http://agent.test"+c.to, http.StatusFound)
					return
				}
				asked++
				_, _ = io.WriteString(w, cardOfOne)
			})
			d, _ := discover(t, "http://www.agent.test/card.json"+c.query, func(o *a2a.Options) {
				if o.Dial = pairOf(s, s); c.change != nil {
					c.change(o)
				}
			})
			if (asked == 1) != c.follows || (d.Card != nil) != c.follows {
				t.Errorf("got %d requests and discovery %+v, want the redirect followed: %v", asked, d, c.follows)
			}
			if !c.follows {
				sentence(t, d.Sentence, "http://www.agent.test redirects to http://agent.test and takes along what you wrote in the query")
			}
		})
	}
}

func TestWhereMessagesGoIsSaidBeforeTheFirst(t *testing.T) {
	t.Parallel()
	const home, other = "http://desk.example", "https://other.example:81"
	for _, c := range []struct {
		name, endpoint, origin string
		change                 func(*a2a.Options)
		want                   bool
	}{
		{"another origin", other + "/rpc", home, nil, true},
		{"this machine", "http://127.0.0.1:81/rpc", home, nil, true},
		{"another port without TLS", home + ":81/rpc", home, nil, true},
		{"another host without TLS", "http://other.example/rpc", home, nil, true},
		{"refused because the host was opened over TLS", "http://desk.example/rpc", "https://desk.example", func(o *a2a.Options) { o.UserAddresses = []string{"https://desk.example"} }, false},
		{"the same", home + ":80/rpc", home, nil, false},
		{"the same port of this machine", "http://127.0.0.1:81/rpc", "http://localhost:81", nil, false},
		{"the same port of this machine, as IPv6", "http://localhost:81/rpc", "http://[::1]:81", nil, false},
		{"another port of this machine", "http://127.0.0.1:82/rpc", "http://localhost:81", nil, true},
		{"another machine by a name like it, without TLS", "http://localhost.example:81/rpc", "http://localhost:81", nil, true},
		{"a file", other + "/rpc", "", nil, false},
		{"allowed", other + "/rpc", home, func(o *a2a.Options) { o.AllowOrigins = []string{other} }, false},
		{"named by a pin", other + "/rpc", home, func(o *a2a.Options) { o.UserAddresses = append(o.UserAddresses, other+"/rpc") }, false},
		{"refused because of credentials", other + "/rpc", home, func(o *a2a.Options) { o.Bearer = bearer }, false},
	} {
		o := options(newTape(), home)
		if c.change != nil {
			c.change(&o)
		}
		client := a2a.NewClient(profile(a2a.V10, c.endpoint), nil, o)
		list := client.Cautions(c.origin)
		client.Close()
		if (len(list) == 1) != c.want {
			t.Errorf("%s: got cautions %q, want one: %v", c.name, list, c.want)
		}
		if c.want {
			remedy := "--allow-origin " + a2a.Origin(c.endpoint)
			if strings.Contains(c.name, "without TLS") {
				remedy = "no TLS"
			}
			sentence(t, list[0]+".", c.origin, a2a.Origin(c.endpoint), remedy)
		}
	}
}

// tokens returns its bearer tokens one after the other.
type tokens struct {
	mu      sync.Mutex
	list    []string
	refused []string // the tokens that were refused
	fails   error    // returned after the last token
}

func (k *tokens) next(_ context.Context, refused string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if refused != "" {
		k.refused = append(k.refused, refused)
		if len(k.list) == 1 && k.fails != nil {
			return "", k.fails
		}
		if len(k.list) > 1 {
			k.list = k.list[1:]
		}
	}
	if len(k.list) == 0 {
		return "", k.fails
	}
	return k.list[0], nil
}

func TestATokenThatWasRefusedIsRenewedOnce(t *testing.T) {
	t.Parallel()
	const first, second, third = "first-token-of-all", "second-token-of-all", "third-token-of-all"
	for _, c := range []struct {
		name    string
		tokens  []string
		fails   error
		takes   string
		asked   []string // tokens that the agent got
		refused int
		class   string
		says    string
	}{
		{"accepted", []string{first}, nil, first, []string{first}, 0, "", ""},
		{"renewed", []string{first, second}, nil, second, []string{first, second}, 1, "", ""},
		{"refused again", []string{first, second, third}, nil, third, []string{first, second}, 1, a2a.ClassAuth, "did not accept the credentials"},
		{"the same again", []string{first}, nil, second, []string{first}, 1, a2a.ClassAuth, "did not accept the credentials"},
		{"no other", []string{first}, errors.New("tool failed"), second, []string{first}, 1, a2a.ClassAuth, "there is no other one: tool failed"},
		{"none at all", nil, errors.New("tool failed"), first, nil, 0, a2a.ClassNoCredentials, "Nothing was sent: tool failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
				token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
				got = append(got, token)
				if token != c.takes {
					answer(http.StatusUnauthorized, "text/plain", "not "+token)(w, r)
					return
				}
				_, _ = io.WriteString(w, strings.Replace(taskAnswer, "{", `{"echo":"`+token+`",`, 1))
			})
			k := &tokens{list: c.tokens, fails: c.fails}
			tp := newTape()
			o := options(tp, agent.URL)
			o.BearerFrom = k.next
			client := a2a.NewClient(profile(a2a.V10, agent.URL), nil, o)
			defer client.Close()
			out := client.Do(t.Context(), request(a2a.OpSend), a2a.Hooks{})
			tp.check(t)
			if strings.Join(got, " ") != strings.Join(c.asked, " ") || len(k.refused) != c.refused {
				t.Errorf("agent got tokens %q, refused %q; want %q and %d refused", got, k.refused, c.asked, c.refused)
			}
			if out.End.Class != c.class {
				t.Errorf("got end %+v, want class %q", out.End, c.class)
			}
			if c.says != "" {
				sentence(t, out.End.Sentence, c.says)
			}
			checkNoSecrets(t, tp, first, second, third)
		})
	}
	t.Run("elsewhere nobody is asked", func(t *testing.T) {
		other, asked := stranger(t)
		k := &tokens{list: []string{first}}
		o := options(newTape(), "http://named.example")
		o.BearerFrom = func(ctx context.Context, refused string) (string, error) {
			t.Error("a token was requested for another origin, want no request")
			return k.next(ctx, refused)
		}
		client := a2a.NewClient(profile(a2a.V10, other), nil, o)
		defer client.Close()
		if out := client.Do(t.Context(), request(a2a.OpSend), a2a.Hooks{}); out.End.Class != a2a.ClassOrigin || asked.Load() != 0 {
			t.Errorf("got %d requests and end %+v, want none and class %q", asked.Load(), out.End, a2a.ClassOrigin)
		}
	})
}
