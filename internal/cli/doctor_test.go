package cli

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/certtest"
	"parley/internal/connection"
	"parley/internal/doctor"
	"parley/internal/porttest"
	"parley/internal/signature"
)

// notFoundStub answers every call as an agent without tasks does.
func notFoundStub(t testing.TB, card string) *stub {
	return newStub(t, card, func(q *asked, w http.ResponseWriter) {
		switch q.Method {
		case "SendMessage":
			q.result(w, task(completed))
		case "ListTasks":
			q.result(w, `{"tasks":[],"nextPageToken":"","pageSize":1,"totalSize":0}`)
		default:
			q.fail(w, -32001, "Task not found")
		}
	})
}

// failedStep returns the name of the step that failed in a result, empty if none did.
func failedStep(t testing.TB, r result) (name, remedy string) {
	t.Helper()
	steps, _ := at(document(t, r.out), "steps").([]any)
	for _, s := range steps {
		if at(s, "status") == "failed" || at(s, "status") == "skipped" && at(s, "remedy") != nil {
			remedy, _ = at(s, "remedy").(string)
			return fmt.Sprint(at(s, "name")), remedy
		}
	}
	return "", ""
}

// Each set-up is broken on purpose in one place; those of the connection alone are tested in
// parley/internal/connection.
func TestTheDoctorNamesTheBrokenStep(t *testing.T) {
	t.Parallel()
	gone := "http://" + porttest.Keep(t).Address
	site := func(status int, contentType, body string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	answering := func(answer func(*asked, http.ResponseWriter)) string { return newStub(t, plainCard, answer).URL }
	status := func(code int) string {
		return answering(func(_ *asked, w http.ResponseWriter) { w.WriteHeader(code) })
	}
	other := newTLS(t, notFoundStub(t, plainCard))
	pair := certtest.New(t)
	signed := newSignedAgent(t)
	signed.change = func(card string) string { return strings.Replace(card, `"skills":[]`, `"skills":[],"x":1`, 1) }
	withInterface := func(binding, version, url string) string {
		return notFoundStub(t, strings.NewReplacer("JSONRPC", binding, `"1.0"`, `"`+version+`"`, "%s/rpc", url).Replace(plainCard)).URL
	}
	healthy := notFoundStub(t, plainCard)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // connections are accepted and hear nothing
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	certified := func(change func(*x509.Certificate), server func(*tls.Config)) (url, authority string) {
		pair := certtest.Changed(t, change)
		s := httptest.NewUnstartedServer(notFoundStub(t, plainCard))
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.TLS = &tls.Config{Certificates: []tls.Certificate{pair.TLS}}
		server(s.TLS)
		s.StartTLS()
		t.Cleanup(s.Close)
		return s.URL, pair.CertFile
	}
	as := func(*tls.Config) {}
	expired, expiredCA := certified(func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) }, as)
	future, futureCA := certified(func(c *x509.Certificate) {
		c.NotBefore = time.Now().Add(time.Hour)
		c.NotAfter = time.Now().Add(2 * time.Hour)
	}, as)
	renamed, renamedCA := certified(func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"other.example"} }, as)
	mutual, mutualCA := certified(func(*x509.Certificate) {}, func(c *tls.Config) { c.ClientAuth = tls.RequireAnyClientCert })
	drifting := newDriftingAgent(t)
	drifting.run(t, "card", "trust", drifting.URL)
	drifting.says("http://HOST/", "http://HOST/elsewhere")
	refusing := func(code int, message string) string {
		return answering(func(q *asked, w http.ResponseWriter) { q.fail(w, code, message) })
	}

	for name, c := range map[string]struct {
		args []string
		step string
		code int
		// guarded says that the agent answers, and wants credentials.
		guarded bool
	}{
		"not an address":          {[]string{"ftp://agent.example"}, "address", 3, false},
		"nobody speaks":           {[]string{"http://" + silent.Addr().String(), "--timeout", "2s"}, "card", 5, false},
		"http at an https port":   {[]string{strings.Replace(other, "https:", "http:", 1)}, "card", 3, false},
		"an expired certificate":  {[]string{expired, "--cacert", expiredCA}, "TLS", 3, false},
		"a clock that is slow":    {[]string{future, "--cacert", futureCA}, "TLS", 3, false},
		"another host's":          {[]string{renamed, "--cacert", renamedCA}, "TLS", 3, false},
		"no client certificate":   {[]string{mutual, "--cacert", mutualCA}, "TLS", 3, false},
		"another fingerprint":     {[]string{mutual, "--cacert", mutualCA, "--tls-fingerprint", "127.0.0.1=sha256:" + strings.Repeat("00", 32)}, "TLS", 3, false},
		"a giant card":            {[]string{healthy.URL, "--max-card", "100B"}, "card", 1, false},
		"another version":         {[]string{refusing(-32009, "Version not supported")}, "version", 1, false},
		"a card that has changed": {[]string{drifting.URL}, "approval", 4, false},
		"nobody listens":          {[]string{gone}, "TCP", 3, false},
		"no such host":            {[]string{"http://parley.invalid"}, "DNS", 3, false},
		"https at an http port":   {[]string{strings.Replace(healthy.URL, "http:", "https:", 1)}, "TLS", 3, false},
		"unknown authority":       {[]string{other}, "TLS", 3, false},
		"the wrong authority":     {[]string{other, "--cacert", pair.CertFile}, "TLS", 3, false},
		"nothing is found":        {[]string{site(404, "text/plain", "not found")}, "card", 3, false},
		"a login page":            {[]string{site(200, "text/html", "<html>log in</html>")}, "card", 3, false},
		"a broken card":           {[]string{site(200, "application/json", `{"name":`)}, "card", 1, false},
		"no agent at all":         {[]string{site(200, "application/json", `[1,2]`)}, "requests", 1, false},
		"a server that fails":     {[]string{site(500, "text/plain", "oops")}, "card", 3, false},
		"credentials for a card":  {[]string{site(401, "text/plain", "")}, "card", 4, false},
		"a broken signature":      {[]string{signed.card.URL, "--card-key", signed.file}, "signature", 1, false},
		"no binding that fits":    {[]string{withInterface("SMOKE", "1.0", "%s/rpc")}, "interface", 1, false},
		"an endpoint that is off": {[]string{withInterface("JSONRPC", "1.0", gone)}, "TCP", 3, false},
		"an endpoint's TLS":       {[]string{withInterface("JSONRPC", "1.0", other)}, "TLS", 3, false},
		"401":                     {[]string{status(401)}, "requests", 4, true},
		"403":                     {[]string{status(403), "--bearer", "expired"}, "requests", 4, true},
		"an endpoint of nobody":   {[]string{status(404)}, "requests", 1, false},
		"an agent that crashes":   {[]string{status(500)}, "requests", 1, false},
		"an agent that is cut":    {[]string{answering(func(_ *asked, w http.ResponseWriter) { cut(w) })}, "requests", 1, false},
		"an agent that is silent": {[]string{answering(func(q *asked, _ http.ResponseWriter) { <-q.req.Context().Done() }), "--timeout", "2s"}, "requests", 5, false},
		"a message that fails": {[]string{answering(func(q *asked, w http.ResponseWriter) {
			if q.Method == "SendMessage" {
				q.fail(w, -32603, "Internal error")
				return
			}
			q.fail(w, -32001, "Task not found")
		}), "--send"}, "message", 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			if c.code == 5 { // it waits for its time to be over
				t.Parallel()
			}
			run := func(args ...string) result {
				return commandLine{args: append(args, c.args...), env: []string{"XDG_STATE_HOME=" + drifting.state}}.run(t)
			}
			r := run("doctor", "-o", "json")
			step, remedy := failedStep(t, r)
			if step != c.step || r.code != c.code || at(document(t, r.out), "reached") != c.guarded {
				t.Errorf("got step %q and exit %d, want %q and %d\n%s%s", step, r.code, c.step, c.code, r.out, r.err)
			}
			if remedy == "" {
				t.Errorf("the step says nothing of what to do:\n%s", r.out)
			}
			plain, word := run("doctor"), map[bool]string{true: "Skipped", false: "Failed"}[c.guarded]
			if plain.code != c.code || !strings.Contains(plain.out, word+": "+c.step+": ") || !strings.Contains(plain.err, "Error: ") || strings.Contains(plain.out, "Result: ") {
				t.Errorf("as text: got exit %d\n%s%s", plain.code, plain.out, plain.err)
			}
		})
	}
}

func TestTheDoctorFindsAnAgentHealthy(t *testing.T) {
	t.Parallel()
	s := notFoundStub(t, plainCard)
	r := parley(t, "doctor", s.URL)
	for _, want := range []string{"Ok: address: http://127.0.0.1:", "Skipped: DNS: ", "Ok: TCP: 127.0.0.1:", "Skipped: proxy: none", "Skipped: TLS: ", "Ok: card: Stub at ", "Ok: rules: score ",
		"Skipped: signature: the card has none", "Ok: interface: JSON-RPC at ", "Ok: version: A2A 1.0", "Skipped: credentials: ", "Ok: requests: ", "Skipped: message: not sent; --send sends one", "Result: the agent can be reached\n"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("got no %q in\n%s%s", want, r.out, r.err)
		}
	}
	if r.code != 0 || len(s.asked("SendMessage")) != 0 {
		t.Errorf("got exit %d and %d messages, want 0 and none", r.code, len(s.asked("SendMessage")))
	}
	if r := parley(t, "doctor", s.URL, "--send", "--message", "hi there"); r.code != 0 || !strings.Contains(r.out, "Ok: message: answered") || len(s.asked("SendMessage")) != 1 {
		t.Errorf("--send: got exit %d and %d messages, want 0 and 1\n%s%s", r.code, len(s.asked("SendMessage")), r.out, r.err)
	}
}

// The doctor sends a message as parley send does, so that it fails where every send fails; then it says
// whether the agent answers without a stream.
func TestTheDoctorSendsAsSendDoes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stream, plain func(*asked, http.ResponseWriter)
		healthy       bool
		says          []string
	}{
		"a stream": {stream: func(q *asked, w http.ResponseWriter) { q.event(w, task(completed)) }, healthy: true, says: []string{"Ok: message: answered"}},
		"a stream without an event": {
			stream: func(_ *asked, w http.ResponseWriter) { w.Header().Set("Content-Type", "text/event-stream") },
			says:   []string{"closed the stream without sending an event. Sent again without a stream, the message is answered.", "parley send --async sends without a stream"},
		},
		"a stream that is cut at once": {
			stream: func(_ *asked, w http.ResponseWriter) {
				w.Header().Set("Content-Type", "text/event-stream")
				_ = http.NewResponseController(w).Flush()
				cut(w)
			},
			says: []string{"The connection broke", "Sent again without a stream, the message is answered.", "parley send --async"},
		},
		"streams that fail inside": {
			stream: func(q *asked, w http.ResponseWriter) { q.fail(w, -32603, "no runner") },
			says:   []string{"no runner", "Sent again without a stream, the message is answered.", "parley send --async"},
		},
		"no answer either way": {
			stream: func(_ *asked, w http.ResponseWriter) { w.Header().Set("Content-Type", "text/event-stream") },
			plain:  func(q *asked, w http.ResponseWriter) { q.fail(w, -32603, "no runner") },
			says:   []string{"Sent again without a stream, the message has no answer either.", "Hint: Check the agent's log."},
		},
		"credentials": {
			stream: func(_ *asked, w http.ResponseWriter) { w.WriteHeader(http.StatusUnauthorized) },
			says:   []string{"requires credentials"},
		},
	} {
		s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
			switch {
			case q.Method == "SendStreamingMessage":
				c.stream(q, w)
			case q.Method == "SendMessage" && c.plain != nil:
				c.plain(q, w)
			case q.Method == "SendMessage":
				q.result(w, task(completed))
			default:
				q.fail(w, -32001, "Task not found")
			}
		})
		sent := parley(t, "send", "-a", s.URL, "hello")
		plain := len(s.asked("SendMessage"))
		r := parley(t, "doctor", s.URL, "--send")
		if (sent.code == 0) != c.healthy || (r.code == 0) != c.healthy {
			t.Errorf("%s: got exit %d of send and %d of doctor\n%s%s", name, sent.code, r.code, r.out, r.err)
		}
		for _, want := range c.says {
			if !strings.Contains(r.out+r.err, want) {
				t.Errorf("%s: got no %q in\n%s%s", name, want, r.out, r.err)
			}
		}
		mute := strings.Contains(r.out, "Sent again without a stream")
		if plain != 0 || strings.Contains(sent.err, " finds out whether the agent answers without a stream.") != mute {
			t.Errorf("%s: send sent %d messages without a stream and says\n%s", name, plain, sent.err)
		}
		if again := len(s.asked("SendMessage")); len(s.asked("SendStreamingMessage")) != 2 || (again == 1) != mute {
			t.Errorf("%s: the doctor sent %d messages without a stream", name, again)
		}
	}
}

// A card that names another version than the agent speaks works with Parley, and not with everybody.
func TestTheDoctorNamesTheVersionThatACardHidesAsAWarning(t *testing.T) {
	t.Parallel()
	s := notFoundStub(t, strings.Replace(plainCard, `"1.0"`, `"7.0"`, 1))
	r := parley(t, "doctor", s.URL)
	if r.code != 0 || !strings.Contains(r.out, "Warning: version: The card says A2A 7.0, which is none of 0.1 – 1.0; the agent speaks A2A 1.0: ") || !strings.Contains(r.out, "Hint: The agent's author should write the version") {
		t.Errorf("got exit %d\n%s%s", r.code, r.out, r.err)
	}
}

func TestTheDoctorExaminesTheAgentsOfTheDemo(t *testing.T) {
	t.Parallel()
	for name, url := range demos(t) {
		r := parley(t, "doctor", url)
		if r.code != 0 || !strings.Contains(r.out, "Result: the agent can be reached") {
			t.Errorf("%s: got exit %d\n%s%s", name, r.code, r.out, r.err)
		}
	}
}

func TestTheDoctorReportsThisMachineWithoutSecrets(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	env := []string{"HOME=" + home, "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C", "TMUX=/tmp/x", "A2ACLI_BEARER=s3cret-token",
		"HTTPS_PROXY=http://ann:s3cret-proxy@proxy.example:3128", "ALL_PROXY=socks5://s3cret-all@x", "XDG_STATE_HOME=" + home + "/state", "XDG_CONFIG_HOME=" + home + "/config"}
	r := commandLine{args: []string{"doctor"}, env: env}.run(t)
	for _, want := range []string{"Parley: " + version, "Terminal: xterm-256color, inside tmux", "Locale: C\n", "--ascii", "Clipboard: by the terminal", "Settings: ~/config/parley/config.toml does not exist",
		"Proxy: HTTPS_PROXY http://ann:xxxxx@proxy.example:3128", "does not read ALL_PROXY", "Connections: credentials", "Keyring: "} {
		if !strings.Contains(r.out, want) {
			t.Errorf("got no %q in\n%s%s", want, r.out, r.err)
		}
	}
	if r.code != 0 || strings.Contains(r.out+r.err, "s3cret") || strings.Contains(r.out, home) {
		t.Errorf("got exit %d, a secret or the home directory\n%s%s", r.code, r.out, r.err)
	}
	if r = (commandLine{args: []string{"doctor", "-o", "json"}, env: env}).run(t); r.code != 0 || !strings.HasPrefix(r.out, "[") || strings.Contains(r.out, "s3cret") {
		t.Errorf("as JSON: got exit %d\n%s%s", r.code, r.out, r.err)
	}
}

// The sheet of the workbench has the steps of the command, writes nothing on the terminal, and ends
// when the user stops it.
func TestTheDoctorOfTheWorkbenchIsThatOfTheCommand(t *testing.T) {
	t.Parallel()
	s := notFoundStub(t, plainCard)
	err, failure := os.CreateTemp(t.TempDir(), "err")
	if failure != nil {
		t.Fatal(failure)
	}
	a := &app{ctx: t.Context(), streams: Streams{In: err, Out: err, Err: err}}
	d := workbenchDoctor{app: a, keys: func() *signature.Keys { return signature.NewKeys(now) }}
	examine := func(ctx context.Context, s doctor.Subject) (r doctor.Report) {
		r.Of = s.Ref
		d.Examine(ctx, s, func(step connection.Step) {
			if n := len(r.Steps); step.Took > 0 && (n == 0 || r.Steps[n-1].Name != step.Name) {
				t.Errorf("%s ended and never ran", step.Name)
			}
			r.Put(step)
		})
		return r
	}
	doc := document(t, parley(t, "doctor", s.URL, "-o", "json").out)
	steps, _ := at(doc, "steps").([]any)
	got := examine(t.Context(), doctor.Subject{Ref: s.URL})
	if len(got.Steps) != len(steps) || got.Broken() != nil {
		t.Fatalf("got %+v, want the steps of\n%v", got.Steps, steps)
	}
	for i, step := range got.Steps {
		if step.Name != at(steps[i], "name") || step.Status.String() != at(steps[i], "status") || step.Name != "message" && step.Found != at(steps[i], "found") {
			t.Errorf("got %+v, want %v", step, steps[i])
		}
	}
	if got := examine(t.Context(), doctor.Subject{Ref: s.URL, Send: true}); got.Steps[len(got.Steps)-1].Found != "answered" || len(s.asked("SendMessage")) != 1 {
		t.Errorf("got %+v, want a message sent", got.Steps)
	}
	pins := a2a.Pins{Headers: []a2a.HeaderPair{{Name: "X-Team", Value: "blue"}}}
	examine(t.Context(), doctor.Subject{Ref: s.URL, Pins: &pins})
	if all := s.asked("GetTask"); all[len(all)-1].req.Header.Get("X-Team") != "blue" {
		t.Error("the examination is without the pins of the agent")
	}

	guarded := newStub(t, plainCard, func(_ *asked, w http.ResponseWriter) { w.WriteHeader(http.StatusUnauthorized) })
	got = examine(t.Context(), doctor.Subject{Ref: guarded.URL})
	if found, well := got.Result(); well || !strings.Contains(found, "wants credentials") || got.Broken() != nil {
		t.Errorf("got the result %q, %v, want that credentials are wanted and nothing is broken", found, well)
	}
	if last := got.Steps[len(got.Steps)-1]; !strings.Contains(last.Remedy, "/signin") || strings.Contains(last.Remedy, "parley auth") {
		t.Errorf("got %+v, want what to do in the workbench", last)
	}

	ctx, stop := context.WithCancel(t.Context())
	silent := newStub(t, plainCard, func(q *asked, _ http.ResponseWriter) { stop(); <-q.req.Context().Done() })
	stopped := examine(ctx, doctor.Subject{Ref: silent.URL})
	if broken := stopped.Broken(); broken == nil || broken.Name != "requests" {
		t.Errorf("got %+v, want the requests stopped", broken)
	}
	if written := content(t, err); written != "" {
		t.Errorf("got %q on the terminal, want nothing", written)
	}
	if facts := d.Machine(); len(facts) < 8 {
		t.Errorf("got %+v, want the facts about this machine", facts)
	}
}

// The client certificate says who the user is: a server that only the card names does not get it.
func TestTheDoctorShowsTheClientCertificateToNamedOriginsAlone(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t)
	far, ca, shown := secured(t, notFoundStub(t, plainCard), nil)
	near := notFoundStub(t, strings.Replace(plainCard, "%s/rpc", far.URL+"/rpc", 1))
	for _, c := range []struct {
		args []string
		want bool
	}{{[]string{near.URL}, false}, {[]string{near.URL, "--allow-origin", far.URL}, true}, {[]string{far.URL}, true}} {
		*shown = 0
		r := parley(t, append([]string{"doctor", "--cacert", ca, "--cert", pair.CertFile, "--key", pair.KeyFile}, c.args...)...)
		if got := *shown > 0; got != c.want || !strings.Contains(r.out, "Ok: TLS") && !strings.Contains(r.out, "Warning: TLS") {
			t.Errorf("%q: got the certificate shown: %v, want %v\n%s%s", c.args, got, c.want, r.out, r.err)
		}
	}
}

// A version that the user chose says nothing of the agent's card.
func TestTheDoctorBlamesNoCardForAChosenVersion(t *testing.T) {
	t.Parallel()
	s := notFoundStub(t, plainCard)
	r := parley(t, "doctor", s.URL, "--a2a-version", "0.3")
	if said := r.out + r.err; strings.Contains(said, "should write the version") || !strings.Contains(said, "Without your choice, Parley follows the card.") {
		t.Errorf("got\n%s", said)
	}
}
