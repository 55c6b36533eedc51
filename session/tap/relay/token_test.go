package relay

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestOtherMachinesNeedTheToken(t *testing.T) {
	t.Parallel()
	if _, err := Start(t.Context(), Options{Target: &url.URL{Scheme: "http", Host: "127.0.0.1:1"}, Listen: "0.0.0.0:0"}); err == nil || !strings.Contains(err.Error(), "token") {
		t.Errorf("got %v, want that a token is missing", err)
	}
	const token = "s3cret/x y"
	tell := func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.RequestURI+" "+strings.Join(r.Header[TokenField], ","))
	}
	for _, over := range []string{"HTTP/1", "HTTP/2"} {
		client, agent := http.RoundTripper(&http.Transport{}), startHTTP1(t, http.HandlerFunc(tell))
		if over == "HTTP/2" {
			client, agent = clientOf(t, nil), startHTTP2(t, nil, tell)
		}
		r := startRelay(t, agent, Options{Listen: "0.0.0.0:0", Token: token})
		origin := strings.TrimSuffix(r.URL(), "/s3cret%2Fx%20y")
		if origin == r.URL() {
			t.Fatalf("got base %s, want one with the token", r.URL())
		}
		for _, tt := range []struct {
			url, token, host string
			status           int
			want             string
		}{
			{r.URL() + "/a2a?x", "", "", 200, "/a2a?x "},
			{r.URL(), "", "", 200, "/ "},
			{r.URL() + "?x", "", "", 200, "/?x "},
			{origin + "/a2a", token, "", 200, "/a2a "},
			{origin + "/a2a", token, "tap.example:80", 200, "/a2a "},
			{r.URL() + "/a2a", "of another", "", 200, "/a2a of another"},
			{origin + "/a2a", "", "", 403, "token"},
			{origin + "/a2a", "wrong", "", 403, "token"},
			{origin + "/s3cret/x%20y/a2a", "", "", 403, "token"},
			{origin + "/s3cret%2Fx%20yy", "", "", 403, "token"},
		} {
			req, err := http.NewRequest("GET", tt.url, nil)
			if err != nil {
				t.Fatal(err)
			}
			if req.Host = tt.host; tt.token != "" {
				req.Header.Set(TokenField, tt.token)
			}
			resp, err := client.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode != tt.status || tt.status == 200 && string(b) != tt.want || !strings.Contains(string(b), tt.want) {
				t.Errorf("%s: %s with %q: got %d %q, want %d %q", over, tt.url, tt.token, resp.StatusCode, b, tt.status, tt.want)
			}
		}
		client.(*http.Transport).CloseIdleConnections()
	}
}

func TestHeadsThatAreTooLong(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 130_000)
	serve := func(w http.ResponseWriter, r *http.Request) { w.Header().Set("X-Long", long) }
	n := newNotebook(nil)
	r := startRelay(t, startHTTP1(t, http.HandlerFunc(serve)), Options{Observer: n, Limits: Limits{Head: 100_000}})
	answer, err := exchangeRaw(t, r.Addr().String(), "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	if err != nil || !contains(answer, "HTTP/1.1 200 OK", long) {
		t.Errorf("got %d bytes, %v; want what the agent sent", len(answer), err)
	}
	if p := n.ended(1)[0]; p.end.Cause != AgentBroke || !strings.Contains(p.end.Err.Error(), "head of the agent's response is too long") {
		t.Errorf("got %+v", p.end)
	}
	n = newNotebook(nil)
	r = startRelay(t, startHTTP2(t, nil, serve), Options{Observer: n, Limits: Limits{Head: 100_000}})
	tr := clientOf(t, nil)
	if resp, err := tr.RoundTrip(mustRequest(t, r.URL())); err == nil {
		t.Errorf("got %v, want a broken connection", resp)
	}
	if p := n.ended(1)[0]; p.end.Cause != AgentBroke {
		t.Errorf("got %+v", p.end)
	}
	req := mustRequest(t, r.URL())
	req.Header.Set("X-Long", long)
	if resp, err := tr.RoundTrip(req); err == nil {
		t.Errorf("got %v, want a broken connection", resp)
	}
}

func mustRequest(t testing.TB, url string) *http.Request {
	t.Helper()
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return req
}
