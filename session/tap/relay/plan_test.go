package relay

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestBodiesThatAPlanChanges(t *testing.T) {
	t.Parallel()
	upper := func(b []byte) []byte { return bytes.ToUpper(b) }
	longer := func(b []byte) []byte { return append(b, "!!"...) }
	same := func(b []byte) []byte { return b }
	type edit func([]byte) []byte
	for _, tt := range []struct {
		name              string
		request, response edit
		wantSent, wantGot string
	}{
		{"none", nil, nil, "hello", "hello"},
		{"as it is", same, same, "hello", "hello"},
		{"request", longer, nil, "hello!!", "hello!!"},
		{"response", nil, longer, "hello", "hello!!"},
		{"both", upper, longer, "HELLO", "HELLO!!"},
	} {
		for _, over := range []string{"length", "chunks", "until the end", "HTTP/2"} {
			t.Run(tt.name+" "+over, func(t *testing.T) {
				n := newNotebook(func(Head) Plan {
					return Plan{EditRequest: tt.request, EditResponse: func(h Head) func([]byte) []byte {
						if h.Header.Get("X-Kind") != over {
							t.Errorf("got head %v", h.Header)
						}
						return tt.response
					}}
				})
				got := make(chan string, 1)
				agent := echoAgent(over, got)
				var client http.RoundTripper
				var r *Relay
				if over == "HTTP/2" {
					client, r = clientOf(t, nil), startRelay(t, startHTTP2(t, nil, agent), Options{Observer: n})
				} else {
					client, r = &http.Transport{DisableKeepAlives: true}, startRelay(t, startHTTP1(t, agent), Options{Observer: n})
				}
				body := io.Reader(strings.NewReader("hello"))
				if over == "chunks" {
					body = io.MultiReader(body) // of unknown length
				}
				req, _ := http.NewRequest("POST", r.URL(), body)
				resp, err := client.RoundTrip(req)
				if err != nil {
					t.Fatal(err)
				}
				b, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if sent := <-got; sent != tt.wantSent || string(b) != tt.wantGot || err != nil {
					t.Errorf("got %q at the agent, %q, %v; want %q, %q", sent, b, err, tt.wantSent, tt.wantGot)
				}
				p := n.ended(1)[0]
				if p.requestBody.String() != "hello" || p.body.String() != tt.wantSent || p.end.Cause != Complete || p.end.PassedOn != int64(len(tt.wantGot)) {
					t.Errorf("got %+v, want what the client and the agent sent", p)
				}
				if coding := resp.Header.Get("Content-Encoding"); (coding == "") != (tt.wantGot != tt.wantSent) {
					t.Errorf("got coding %q", coding)
				}
			})
		}
	}
}

// echoAgent answers with the body of the request, and says that it is in some coding.
func echoAgent(over string, got chan string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got <- string(b)
		w.Header().Set("X-Kind", over)
		w.Header().Set("Content-Encoding", "none-at-all")
		switch over {
		case "chunks":
			w.(http.Flusher).Flush()
		case "until the end":
			w.Header().Set("Transfer-Encoding", "identity")
			w.(http.Flusher).Flush()
		}
		w.Write(b)
	}
}

func TestAHeldRequestAsksForItsBody(t *testing.T) {
	t.Parallel()
	n := newNotebook(func(Head) Plan { return Plan{ChooseFault: func([]byte) Fault { return Fault{Status: 401} }} })
	r := startRelay(t, "127.0.0.1:1", Options{Observer: n})
	conn := dialRaw(t, r.Addr().String())
	io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n")
	const proceed = "HTTP/1.1 100 Continue\r\n\r\n"
	b := make([]byte, len(proceed))
	if _, err := io.ReadFull(conn, b); err != nil || string(b) != proceed {
		t.Fatalf("got %q, %v", b, err)
	}
	io.WriteString(conn, "abc")
	if b, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(b), "HTTP/1.1 401 ") {
		t.Errorf("got %q, %v", b, err)
	}
}

func TestBodiesBeyondTheLimitPassUnchanged(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("x", 100_000)
	agent := func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }
	for _, over := range []string{"HTTP/1", "HTTP/2"} {
		changed := func([]byte) []byte { t.Error("a body beyond the limit was changed"); return nil }
		n := newNotebook(func(Head) Plan {
			return Plan{EditRequest: changed, EditResponse: func(Head) func([]byte) []byte { return changed }}
		})
		client, address := http.RoundTripper(&http.Transport{DisableKeepAlives: true}), startHTTP1(t, http.HandlerFunc(agent))
		if over == "HTTP/2" {
			client, address = clientOf(t, nil), startHTTP2(t, nil, agent)
		}
		r := startRelay(t, address, Options{Observer: n, Limits: Limits{Edit: len(body) - 1}})
		req, _ := http.NewRequest("POST", r.URL(), strings.NewReader(body))
		resp, err := client.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if string(b) != body || err != nil {
			t.Errorf("%s: got %d bytes, %v; want %d", over, len(b), err, len(body))
		}
		if p := n.ended(1)[0]; p.end.Cause != Complete || p.requestBody.Len() != len(body) {
			t.Errorf("%s: got %+v", over, p.end)
		}
	}
}

func TestAPlanChoosesTheTarget(t *testing.T) {
	t.Parallel()
	tell := func(name string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, name+" "+r.Host+" "+r.RequestURI)
		}
	}
	for _, over := range []string{"HTTP/1", "HTTP/2"} {
		start, client := func(h http.HandlerFunc) string { return startHTTP1(t, h) }, http.RoundTripper(&http.Transport{})
		if over == "HTTP/2" {
			start, client = func(h http.HandlerFunc) string { return startHTTP2(t, nil, h) }, clientOf(t, nil)
		}
		own, hook := start(tell("own")), start(tell("hook"))
		n := newNotebook(func(h Head) Plan {
			if h.URI == "/own" {
				return Plan{}
			}
			return Plan{Target: &url.URL{Scheme: "http", Host: hook, Path: "/hook", RawQuery: "a=b"}}
		})
		r := startRelay(t, own, Options{Observer: n})
		for i, path := range []string{"/own", "/other", "/own", "/other"} {
			req, _ := http.NewRequest("GET", r.URL()+path, nil)
			resp, err := client.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			want := map[string]string{"/own": "own " + own + " /own", "/other": "hook " + hook + " /hook?a=b"}[path]
			if string(b) != want {
				t.Errorf("%s: got %q, want %q", over, b, want)
			}
			if p := n.ended(i + 1)[i]; p.client.Connection != 1 || "own "+p.sent.Host != want[:len("own "+p.sent.Host)] && "hook "+p.sent.Host != want[:len("hook "+p.sent.Host)] {
				t.Errorf("%s: got %+v", over, p.sent)
			}
		}
		client.(*http.Transport).CloseIdleConnections()
	}
}
