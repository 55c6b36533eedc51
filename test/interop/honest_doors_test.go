package interop

import (
	"bytes"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"parley/a2a"
)

// A door is a server in front of an agent, with the flags that lead there.
type door struct {
	url   string
	flags []string
}

// door starts a server in front of the agent, for HTTP/1 and for gRPC: guard answers a request itself, or
// passes it on.
func (j *judge) door(guard func(w http.ResponseWriter, r *http.Request, pass http.Handler), edit func(*http.Response) error) door {
	j.t.Helper()
	endpoint, err := url.Parse(j.s.connect(j.t, j.url).profile.Endpoint)
	if err != nil {
		j.t.Fatal(err)
	}
	agent, err := url.Parse(j.url)
	if err != nil {
		j.t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(agent) },
		Transport: &http.Transport{DisableCompression: true}, FlushInterval: -1, ModifyResponse: edit, ErrorLog: log.New(io.Discard, "", 0),
	}
	pass := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body) // whole, because a server may answer before it has read all of it
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if isGRPC(r) {
			passCall(w, r, endpoint.Host, edit)
			return
		}
		proxy.ServeHTTP(w, r)
	})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { guard(w, r, pass) }))
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	j.t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	d := door{server.URL, j.flags(server.URL)}
	switch {
	case j.s.path != "": // the flags lead there already
	case j.s.binding() == a2a.BindingGRPC:
		d.flags = append(d.flags, "--endpoint", strings.Replace(server.URL, "http://", "grpc://", 1))
	default:
		d.flags = append(d.flags, "--endpoint", server.URL+endpoint.Path)
	}
	return d
}

// passCall passes a call of gRPC on.
func passCall(w http.ResponseWriter, r *http.Request, host string, edit func(*http.Response) error) {
	only := new(http.Protocols)
	only.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: only}
	defer transport.CloseIdleConnections()
	out := r.Clone(r.Context())
	out.URL, out.RequestURI = &url.URL{Scheme: "http", Host: host, Path: r.URL.Path}, ""
	answer, err := transport.RoundTrip(out)
	if err != nil || edit(answer) != nil {
		panic(http.ErrAbortHandler)
	}
	defer answer.Body.Close()
	maps.Copy(w.Header(), answer.Header)
	if answer.Header.Get("Grpc-Status") != "" {
		return // the head is the whole answer
	}
	for piece := make([]byte, 4096); err == nil; {
		var n int
		n, err = answer.Body.Read(piece)
		_, _ = w.Write(piece[:n])
		w.(http.Flusher).Flush()
	}
	if err != io.EOF {
		panic(http.ErrAbortHandler)
	}
	for name, values := range answer.Trailer {
		w.Header()[http.TrailerPrefix+name] = values
	}
}

func isGRPC(r *http.Request) bool {
	return strings.HasPrefix(r.Header.Get("Content-Type"), "application/grpc")
}

// admits reports whether a request has the token.
func admits(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer sesame" }

// refuse asks for a token.
func refuse(w http.ResponseWriter, r *http.Request) {
	if isGRPC(r) {
		w.Header().Set("Content-Type", "application/grpc")
		w.Header().Set("Grpc-Status", "16")
		w.Header().Set("Grpc-Message", "a token, please")
		return
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="agents"`)
	http.Error(w, "a token, please", http.StatusUnauthorized)
}

// guarded judges the agent behind a door that wants a token: without one every command ends with the exit status
// for that, with one it says what it says without the door.
func (j *judge) guarded() {
	d := j.door(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		if !strings.Contains(r.URL.Path, "/.well-known/") && !admits(r) {
			refuse(w, r)
			return
		}
		pass.ServeHTTP(w, r)
	}, func(*http.Response) error { return nil })
	for _, args := range slices.Concat(examinations, [][]string{{"send", "count 2", "-a"}, {"send", "--stream", "count 2", "-a"}}) {
		out, said, exit := j.run("", slices.Concat(args, []string{d.url}, d.flags)...)
		if exit != 4 || strings.Count(out+said, "Failed: ") > 1 {
			j.t.Errorf("%s without a token: got exit %d, want 4, and one step that failed at most\n%s%s", args, exit, out, said)
		}
		j.note(args[0], strings.ReplaceAll(out, "Failed: ", "Refused: "))
	}
	with := append(d.flags, "--bearer", "sesame")
	j.examined(d.url, with...)
	j.sends(d.url, with)
}

// sends sends a message with and without a stream of the output.
func (j *judge) sends(url string, flags []string) {
	j.t.Helper()
	for _, args := range [][]string{{"send", "count 2"}, {"send", "--stream", "count 2"}} {
		file := j.file()
		args = append(slices.Concat(args, flags), "-a", url, "--record", file, "--poll-interval", "20ms")
		if out, said, exit := j.run("", args...); exit != 0 {
			j.t.Errorf("%s: got exit %d, want 0\n%s%s", args, exit, out, said)
		}
		j.seen.addFile(j.t, file)
	}
}

// forUsers matches the operations that a door may keep for users: lists, and changes of webhooks.
var forUsers = regexp.MustCompile(`tasks/list|ListTask|(Create|Set|List|Delete)TaskPush|pushNotification(Config)?/(set|list|delete)|pushNotificationConfigs$`)

// guardedPartly judges the agent behind a door that wants a token for some operations: the others do not fail for
// that.
func (j *judge) guardedPartly() {
	d := j.door(func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		what := r.URL.Path
		if strings.HasSuffix(what, "/tasks") {
			what = "tasks/list"
		}
		if !isGRPC(r) && r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			what += method.FindString(string(body))
		}
		if forUsers.MatchString(what) && !admits(r) {
			refuse(w, r)
			return
		}
		pass.ServeHTTP(w, r)
	}, func(*http.Response) error { return nil })
	j.examined(d.url, d.flags...)
	j.sends(d.url, d.flags)
	j.examined(d.url, append(d.flags, "--bearer", "sesame")...)
}

// method matches the method of a JSON-RPC request.
var method = regexp.MustCompile(`"method":"[^"]*"`)

// proxied judges the agent behind a proxy that names itself, buffers what it passes on, and once cuts a stream at
// the end of an event.
func (j *judge) proxied() {
	var cut atomic.Bool
	cut.Store(!j.s.keeps()) // nothing but the stream tells its end
	d := j.door(func(w http.ResponseWriter, r *http.Request, pass http.Handler) { pass.ServeHTTP(w, r) }, func(r *http.Response) error {
		r.Header.Set("Via", "1.1 proxy.example")
		if strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream") && !cut.Swap(true) {
			r.Body = &untilEvent{ReadCloser: r.Body, left: 3}
		}
		return nil
	})
	j.sends(d.url, d.flags)
	j.examined(d.url, d.flags...)
}

// An untilEvent is a stream that ends regularly after some events.
type untilEvent struct {
	io.ReadCloser
	left int
	text bool // the line has begun
}

func (u *untilEvent) Read(p []byte) (int, error) {
	if u.left == 0 {
		return 0, io.EOF
	}
	n, err := u.ReadCloser.Read(p[:1])
	if n == 1 && p[0] == '\n' && !u.text {
		u.left--
	}
	if n == 1 && p[0] != '\r' {
		u.text = p[0] != '\n'
	}
	return n, err
}
