package signin

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/internal/crash"
)

// Code sends the user to the authorization server with a browser, and waits until it sends the
// browser back to a port of this machine, or until the address of that page arrives on pasted, as on
// a machine without a browser. Show gets the address of the page, and the one to which the browser
// comes back. The error is a clause.
func Code(ctx context.Context, r *Request, show func(address, back string), pasted <-chan string) (*oauth2.Token, error) {
	if r.Server.AuthURL == "" {
		return nil, errors.New("the authorization server names no page for users")
	}
	if err := r.begin(); err != nil {
		return nil, err // before anybody signs in on a page
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(r.Port)))
	if err != nil {
		return nil, r.noPort(err)
	}
	defer listener.Close()
	config := r.config()
	config.RedirectURL = "http://127.0.0.1:" + strconv.Itoa(listener.Addr().(*net.TCPAddr).Port) + callbackPath
	w := &visit{request: r, state: rand.Text(), nonce: rand.Text(), verifier: oauth2.GenerateVerifier(), codes: make(chan code, 1)}
	r.mask.know(w.state, w.nonce, w.verifier)
	options := append(r.resource(), oauth2.S256ChallengeOption(w.verifier))
	if w.openID() {
		options = append(options, oidc.Nonce(w.nonce))
	}
	server := &http.Server{
		Handler: w, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // the terminal belongs to the program
	}
	go func() {
		defer crash.Guard()
		_ = server.Serve(listener) // always ends with ErrServerClosed
	}()
	defer func() {
		brief, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second) // the page is being sent
		defer cancel()
		_ = server.Shutdown(brief)
	}()
	show(config.AuthCodeURL(w.state, options...), config.RedirectURL)
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case text, open := <-pasted:
			if !open {
				pasted = nil
				continue
			}
			u, err := url.Parse(strings.TrimSpace(text))
			if err != nil {
				return nil, errors.New("what was pasted is no address")
			}
			got := w.read(u.Query())
			if got.err != nil {
				return nil, got.err
			}
			return w.exchange(ctx, config, got)
		case got := <-w.codes:
			if got.err != nil {
				return nil, got.err
			}
			return w.exchange(ctx, config, got)
		}
	}
}

// noPort says why nothing can listen at the port of the redirect.
func (r *Request) noPort(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("this system does not let Parley listen at port %d: choose one above 1023 with --redirect-port that is registered at the authorization server", r.Port)
	}
	return fmt.Errorf("port %d of this machine is in use: choose another one with --redirect-port that is registered at the authorization server", r.Port)
}

// callbackPath is where the browser is sent back to.
const callbackPath = "/callback"

// A code is what the browser brings back.
type code struct {
	text   string
	issuer string // of the server that sent it, empty if it does not say so
	err    error
}

// A visit is one stay of the user at the authorization server.
type visit struct {
	request                *Request
	state, nonce, verifier string
	codes                  chan code
}

// openID reports whether the server is asked who the user is.
func (w *visit) openID() bool {
	for _, s := range w.request.Scopes {
		if s == oidc.ScopeOpenID {
			return true
		}
	}
	return false
}

// ServeHTTP answers the browser that comes back. Pages of others cannot end the visit: they do not
// know its state.
func (w *visit) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	host, _, err := net.SplitHostPort(req.Host)
	if err != nil { // browsers omit port 80
		host = req.Host
	}
	if !hostname.IsLoopback(host) || req.Method != http.MethodGet || req.URL.Path != callbackPath {
		http.Error(rw, "There is nothing here.", http.StatusNotFound)
		return
	}
	query := req.URL.Query()
	if !w.mine(query) {
		http.Error(rw, "This page belongs to another sign-in. Start again in Parley.", http.StatusBadRequest)
		return
	}
	got := w.read(query)
	words := "You are signed in. Close this page and go back to Parley."
	if got.err != nil {
		words = "You are not signed in. Parley says why; close this page."
	}
	rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
	rw.Header().Set("Referrer-Policy", "no-referrer")
	rw.Header().Set("Cache-Control", "no-store")
	_, _ = rw.Write([]byte(words + "\n")) // the browser may have gone
	select {
	case w.codes <- got:
	default: // it came before
	}
}

// mine reports whether a query has the state of this visit.
func (w *visit) mine(q url.Values) bool {
	return subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(w.state)) == 1
}

// read returns the code in the query of a redirect, or why it has none. Another issuer than that of
// the server means that a code of one server would go to another (RFC 9207).
func (w *visit) read(q url.Values) code {
	fail := func(format string, args ...any) code { return code{err: fmt.Errorf(format, args...)} }
	server, mask := w.request.Server, &w.request.mask
	mask.know(q.Get("code"))
	switch issuer := q.Get("iss"); {
	case !w.mine(q):
		return fail("the page belongs to another sign-in: start again")
	case issuer == "" && server.NamesIssuer:
		return fail("the answer does not name the authorization server, although %s always does: another server may have sent it", w.request.host())
	case issuer != "" && server.Issuer != "" && issuer != server.Issuer:
		return fail("the answer comes from another authorization server, %s: nothing was sent there", mask.address(issuer))
	case q.Get("error") == "access_denied":
		return fail("the sign-in was refused at %s", w.request.host())
	case q.Get("error") != "":
		words := mask.text(q.Get("error"))
		if more := mask.text(q.Get("error_description")); more != "" {
			words += " (" + more + ")"
		}
		return fail("%s refused: %s", w.request.host(), words)
	case q.Get("code") == "":
		return fail("the answer has no code: copy the whole address of the page")
	}
	return code{text: q.Get("code"), issuer: q.Get("iss")}
}

// confirm checks that a code goes back to the server that sent it, where nothing but a card says which server
// that is: a card could name the page of one server and the endpoint for tokens of another one, which
// would get the code. The metadata of the sender decide, or its origin if it has none.
func (w *visit) confirm(ctx context.Context, issuer string) error {
	server := w.request.Server
	if issuer == "" || server.Issuer != "" { // [visit.read] has compared them
		return nil
	}
	endpoint := ""
	r := &reader{w.request.HTTP, &w.request.mask}
	for _, at := range wellKnown(issuer) {
		if m, err := r.metadata(ctx, at); err == nil && m.Issuer == issuer {
			endpoint = m.TokenURL
			break
		}
	}
	if endpoint == server.TokenURL || endpoint == "" && a2a.Origin(issuer) == a2a.Origin(server.TokenURL) {
		return nil
	}
	return fmt.Errorf("the answer comes from %s, but the card wants its code to go to %s: nothing was sent there", r.mask.address(issuer), r.mask.address(server.TokenURL))
}

// exchange turns a code into a token, and verifies who signed in if the server says so.
func (w *visit) exchange(ctx context.Context, config *oauth2.Config, got code) (*oauth2.Token, error) {
	if err := w.confirm(ctx, got.issuer); err != nil {
		return nil, err
	}
	r := w.request
	ctx = r.context(ctx)
	t, err := r.checked(config.Exchange(ctx, got.text, append(r.resource(), oauth2.VerifierOption(w.verifier))...))
	if err != nil {
		return nil, err
	}
	raw, _ := t.Extra("id_token").(string)
	if raw == "" || !w.openID() || !r.Server.OpenID {
		return t, nil
	}
	provider, err := oidc.NewProvider(ctx, r.Server.Issuer)
	if err != nil {
		return nil, fmt.Errorf("the keys of %s cannot be read, so that the identity cannot be verified", r.host())
	}
	id, err := provider.Verifier(&oidc.Config{ClientID: r.ClientID}).Verify(ctx, raw)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the identity that %s sent cannot be verified: %s", r.host(), r.mask.text(err.Error()))
	case id.Nonce != w.nonce:
		return nil, fmt.Errorf("the identity that %s sent belongs to another sign-in: start again", r.host())
	}
	return t, nil
}
