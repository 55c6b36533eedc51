// Package signintest runs an authorization server with OpenID Connect on a real socket, for tests,
// and plays the user in a browser.
package signintest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
)

// The clients that a [Server] knows. Public has no secret; the others have [Secret].
const (
	Public  = "native"
	Devices = "device"
	Service = "sid1"
	Secret  = "verysecret"
)

// A Server is an authorization server.
type Server struct {
	// Issuer is its address, without a slash at the end.
	Issuer string
	store  *storage.Storage

	mu       sync.Mutex
	requests []string
	// instead answers a path in its place.
	instead map[string]http.HandlerFunc
}

// endpoints guards a variable of the library: each new server writes the endpoints into it, which all
// servers read.
var endpoints sync.RWMutex

// Start runs a server until the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	return StartAt(t, nil)
}

// StartAt is [Start] with a listener, such as one in a bubble of testing/synctest; nil is a real socket.
func StartAt(t testing.TB, l net.Listener) *Server {
	t.Helper()
	s := &Server{instead: map[string]http.HandlerFunc{}}
	var next http.Handler
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r.Method+" "+r.URL.Path)
		other := s.instead[r.URL.Path]
		s.mu.Unlock()
		if other != nil {
			other(w, r)
			return
		}
		endpoints.RLock()
		defer endpoints.RUnlock()
		if r.URL.Path == "/device_authorization" {
			hurry(next, w, r)
			return
		}
		next.ServeHTTP(w, r)
	}))
	if l != nil {
		_ = server.Listener.Close()
		server.Listener = l
	}
	server.Start()
	t.Cleanup(server.Close)
	s.Issuer = server.URL
	s.store = storage.NewStorageWithClients(storage.NewUserStore(s.Issuer), map[string]*storage.Client{
		Public:  storage.NativeClient(Public, "http://127.0.0.1/callback"),
		Devices: storage.DeviceClient(Devices, Secret),
	})
	endpoints.Lock()
	defer endpoints.Unlock()
	next = exampleop.SetupServer(s.Issuer, s.store, slog.New(slog.NewTextHandler(io.Discard, nil)), false)
	return s
}

// hurry answers a request for a device code, and lets the client poll every second in place of five.
func hurry(server http.Handler, w http.ResponseWriter, r *http.Request) {
	answer := httptest.NewRecorder()
	server.ServeHTTP(answer, r)
	maps.Copy(w.Header(), answer.Header())
	w.Header().Del("Content-Length")
	w.WriteHeader(answer.Code)
	_, _ = w.Write(bytes.Replace(answer.Body.Bytes(), []byte(`"interval":5`), []byte(`"interval":1`), 1))
}

// Instead answers requests for a path in place of the server, which answers again after nil.
func (s *Server) Instead(path string, answer http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.instead[path] = answer
}

// Requests returns method and path of all requests.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.requests...)
}

// Browse opens the page of an authorization in a browser, signs in as test-user2, and follows the
// redirect back. It returns the address of the last page and its text.
func (s *Server) Browse(ctx context.Context, address string) (last, text string, err error) {
	return s.browse(ctx, address, nil)
}

// Visit is Browse in a browser on another machine, which cannot follow the redirect back. It returns
// the address to which that leads.
func (s *Server) Visit(ctx context.Context, address string) (back string, err error) {
	_, _, err = s.browse(ctx, address, func(req *http.Request, _ []*http.Request) error {
		if req.URL.Path != "/callback" {
			return nil
		}
		back = req.URL.String()
		return http.ErrUseLastResponse
	})
	return back, err
}

func (s *Server) browse(ctx context.Context, address string, redirect func(*http.Request, []*http.Request) error) (last, text string, err error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return "", "", err
	}
	browser := &http.Client{Jar: jar, CheckRedirect: redirect}
	page, form, err := read(browser.Do(request(ctx, http.MethodGet, address, nil)))
	if err != nil {
		return "", "", err
	}
	id := regexp.MustCompile(`name="id" value="([^"]+)"`).FindStringSubmatch(form)
	if id == nil {
		return "", "", fmt.Errorf("got no form to sign in at %s: %s", page, form)
	}
	return read(browser.Do(request(ctx, http.MethodPost, s.Issuer+"/login/username", url.Values{"id": {id[1]}, "username": {"test-user2"}, "password": {"verysecure"}})))
}

func request(ctx context.Context, method, address string, form url.Values) *http.Request {
	r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form.Encode()))
	if err != nil {
		panic(err) // tests write their addresses themselves
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return r
}

func read(resp *http.Response, err error) (address, text string, _ error) {
	if err != nil {
		return "", "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp.Request.URL.String(), string(b), err
}

// Agree enters a code of a device, as test-user2.
func (s *Server) Agree(ctx context.Context, code string) error {
	return s.store.CompleteDeviceAuthorization(ctx, code, "id2")
}
