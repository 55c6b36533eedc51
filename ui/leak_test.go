package ui

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/internal/history"
	"parley/internal/panetest"
	"parley/internal/pipetest"
	"parley/internal/roster"
	"parley/internal/secrettest"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
)

// A parrot is an agent that repeats secrets wherever and however it can. The text of a message
// chooses the answer.
type parrot struct {
	*httptest.Server
	said []string // the secrets
}

// spelled returns the ways in which a secret may be written.
func spelled(secret string) map[string]string {
	quoted := quote(secret)
	return map[string]string{
		"plain": secret, "base64": base64.StdEncoding.EncodeToString([]byte(secret)), "base64url": base64.RawURLEncoding.EncodeToString([]byte(secret)),
		"query": url.QueryEscape(secret), "path": url.PathEscape(secret), "JSON": quoted, "JSON in JSON": quote(quoted), "HTML": html.EscapeString(secret),
	}
}

// quote returns a text as it stands between the quotes of JSON.
func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b[1 : len(b)-1])
}

func (p *parrot) all() string {
	var b strings.Builder
	for _, s := range p.said {
		b.WriteString("you sent " + s + ",\n")
		for _, how := range []string{"base64", "query", "JSON"} {
			b.WriteString(spelled(s)[how] + "\n")
		}
	}
	return b.String()
}

// oneLine returns the secrets as they may stand in a header or a URL.
func (p *parrot) oneLine() string { return url.PathEscape(strings.Join(p.said, " ")) }

func (p *parrot) card() string {
	all, line := quote(p.all()), quote(strings.Join(p.said, " "))
	link := quote(p.URL + "/x?access_token=" + url.QueryEscape(p.said[0]) + "#" + p.oneLine())
	return `{"name":"Parrot ` + quote(p.said[0]) + `","description":"` + all + `","version":"` + quote(p.said[0]) + `","iconUrl":"` + link + `","documentationUrl":"` + link + `",
		"provider":{"organization":"` + line + `","url":"` + link + `"},"capabilities":{"streaming":true,"pushNotifications":true,"extensions":[{"uri":"` + link + `","description":"` + line + `"}]},
		"skills":[{"id":"s","name":"` + line + `","description":"` + all + `","tags":["` + line + `"],"examples":["say ` + quote(p.said[0]) + `"]}],
		"securitySchemes":{"k":{"apiKeySecurityScheme":{"location":"query","name":"entry","description":"` + line + `"}},"b":{"httpAuthSecurityScheme":{"scheme":"bearer"}}},
		"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"unknown":{"` + line + `":"` + line + `"},
		"supportedInterfaces":[{"url":"` + p.URL + `/rpc?zone=in-the-endpoint&x=` + url.QueryEscape(p.said[0]) + `","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`
}

func (p *parrot) parts() string {
	all, line := quote(p.all()), quote(strings.Join(p.said, " "))
	user := quote(strings.Replace(p.URL, "://", "://me:"+url.QueryEscape(p.said[0])+"@", 1) + "/f?sig=" + url.QueryEscape(p.said[0]))
	return `[{"text":"` + all + `"},{"data":{"` + line + `":"` + line + `","list":["` + all + `"],"nested":"{\"password\":\"` + quote(quote(p.said[0])) + `\"}"},"metadata":{"m":"` + line + `"}},
		{"url":"` + user + `","filename":"` + line + `.txt","mediaType":"text/plain"},{"raw":"` + base64.StdEncoding.EncodeToString([]byte(p.all())) + `","filename":"` + line + `.md","mediaType":"text/markdown"}]`
}

func (p *parrot) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var call struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Message struct{ Parts []struct{ Text string } }
			ID      string
		}
	}
	_ = json.Unmarshal(body, &call)
	mode := ""
	if parts := call.Params.Message.Parts; len(parts) > 0 {
		mode = parts[0].Text
	}
	w.Header().Set("X-Echo", p.oneLine())
	w.Header().Set("Set-Cookie", "a="+p.oneLine())
	w.Header().Set("Link", "<"+p.URL+"/?key="+p.oneLine()+">")
	line, all := quote(strings.Join(p.said, " ")), quote(p.all())
	task := func(state string) string {
		return `{"id":"t1","contextId":"c1","metadata":{"m":"` + line + `"},"status":{"state":"TASK_STATE_` + state + `","message":{"messageId":"m","role":"ROLE_AGENT","parts":` + p.parts() + `}},
			"artifacts":[{"artifactId":"a1","name":"` + line + `","description":"` + line + `","parts":` + p.parts() + `}],"history":[{"messageId":"h","role":"ROLE_USER","parts":` + p.parts() + `}]}`
	}
	event := func(result string) {
		fmt.Fprintf(w, ": %s\nid: 1\nevent: %s\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", p.oneLine(), p.oneLine(), call.ID, strings.ReplaceAll(result, "\n", ""))
	}
	chunk := func(text string) {
		event(`{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":true,"artifact":{"artifactId":"pieces","parts":[{"text":"` + quote(text) + `"}]}}}`)
	}
	switch {
	case r.Method == http.MethodGet && r.URL.Path != "/moved":
		_, _ = io.WriteString(w, p.card())
	case mode == "redirect" && r.URL.Path != "/moved":
		w.Header().Set("Location", strings.Replace(p.URL, "://", "://me:"+url.QueryEscape(p.said[0])+"@", 1)+"/moved?code="+p.oneLine()+"#"+p.oneLine())
		w.WriteHeader(http.StatusTemporaryRedirect)
	case mode == "401":
		w.Header().Set("WWW-Authenticate", `Bearer realm="`+p.oneLine()+`", error="`+p.oneLine()+`"`)
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, "no: "+p.all())
	case mode == "500":
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, `{"error":"`+all+`"}`)
	case mode == "page":
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadGateway)
		_, _ = io.WriteString(w, "<html><title>"+html.EscapeString(strings.Join(p.said, " "))+"</title><body>"+html.EscapeString(p.all()))
	case mode == "error":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"%s","data":%s}}`, call.ID, all, p.parts())
	case mode == "nonsense":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"%s":"%s"}}`, call.ID, line, all)
	case mode == "broken":
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","result":"`+all)
	case mode == "pieces":
		w.Header().Set("Content-Type", "text/event-stream")
		event(`{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}`)
		for n, s := range p.said {
			for _, how := range []string{"plain", "base64", "query"} {
				for text := []rune(spelled(s)[how]); len(text) > 0; text = text[min(len(text), 3+n%4):] {
					chunk(string(text[:min(len(text), 3+n%4)]))
				}
				chunk("\n")
			}
		}
		event(`{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_INPUT_REQUIRED"}}}`)
	case call.Method == "SendStreamingMessage":
		w.Header().Set("Content-Type", "text/event-stream")
		event(`{"task":` + task("WORKING") + `}`)
		event(`{"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{"artifactId":"b","name":"` + line + `","parts":` + p.parts() + `}}}`)
		event(`{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_INPUT_REQUIRED"},"metadata":{"m":"` + line + `"}}}`)
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, call.ID, task("INPUT_REQUIRED"))
	}
}

// serveAt runs a server in a bubble, where a real socket does not stand still, until the test ends.
func serveAt(t *testing.T, at *pipetest.Network, serve http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := at.Serve(serve)
	t.Cleanup(s.Close)
	return s
}

// A spied desk is a workbench with an engine of its own, and agents. It searches its frames, titles
// and clipboard for secrets.
type spiedDesk struct {
	t      *testing.T
	model  *Model
	msgs   chan tea.Msg
	hidden []string                     // secrets
	spelt  map[string]map[string]string // their spellings
	seen   map[string]bool              // searched frames
	copied int                          // texts copied to the clipboard
	dir    string                       // where files are saved
	lost   map[string]string            // leaks by secret and place
	strict bool                         // no form in which a reader sees a secret is allowed
}

// newSpiedDesk must be called in a bubble.
func newSpiedDesk(t *testing.T, hidden []string, o Options, ref string, client func(string) a2a.Options) (*spiedDesk, *journal.Journal, *engine.Engine) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() {
		cancel()
		time.Sleep(time.Minute) // every timer ends in the bubble
	})
	d := &spiedDesk{t: t, msgs: make(chan tea.Msg, 1<<12), hidden: hidden, spelt: map[string]map[string]string{}, seen: map[string]bool{}, dir: t.TempDir(), lost: map[string]string{}}
	j, err := journal.Create(filepath.Join(d.dir, "run.jsonl"), journal.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	feed := log.NewFeed()
	var ids atomic.Int64
	o.Secrets = &a2a.Secrets{}
	engine := engine.New(engine.Base{
		Secrets:  o.Secrets,
		Recorder: journal.NewRecorder(feed, j), Now: time.Now, After: time.After,
		NewID:  func() string { return "id-" + strconv.FormatInt(ids.Add(1), 10) },
		Client: client,
	}, engine.Use{})
	o.Engine, o.Feed, o.Refs, o.Dir, o.Now, o.Theme.Name = engine, feed, []string{ref}, d.dir, time.Now, "mono"
	o.Getenv = func(string) string { return "" }
	o.History = history.Open(filepath.Join(d.dir, "history.jsonl"))
	o.Saved = SavedAgents{File: roster.Open(filepath.Join(d.dir, "agents.toml"))}
	d.model = New(ctx, o)
	d.run(d.model.Init())
	d.take(tea.WindowSizeMsg{Width: 240, Height: 60})
	return d, j, engine
}

func (d *spiedDesk) run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { d.msgs <- cmd() }()
	}
}

// take handles a message as a program does, and searches the frame after it.
func (d *spiedDesk) take(msg tea.Msg) {
	if msg == nil {
		return
	}
	v := reflect.ValueOf(msg)
	if v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			d.run(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	if name := v.Type().String(); strings.Contains(name, "lipboard") {
		d.copied++
		d.look("the clipboard", fmt.Sprint(msg))
	}
	_, cmd := d.model.Update(msg)
	d.run(cmd)
	frame := d.model.View()
	if text := frame.WindowTitle + "\n" + frame.Content; !d.seen[text] {
		d.seen[text] = true
		rows := strings.Split(ansi.Strip(frame.Content), "\n")
		d.look("the screen", panetest.Text(rows))
		d.look("the screen, joined", strings.Join(strings.Fields(strings.Join(rows, "")), " "))
		d.look("the title", frame.WindowTitle)
	}
}

// look notes which secrets a text has.
func (d *spiedDesk) look(where, text string) {
	for _, s := range d.hidden {
		if d.spelt[s] == nil {
			d.spelt[s] = spelled(s)
		}
		if d.strict {
			if form := secrettest.Shown(text, s); form != "" && d.lost[s+form+where] == "" {
				d.lost[s+form+where] = text
				d.t.Errorf("%s shows %s, %s:\n%s", where, s, form, text)
			}
			continue
		}
		for how, spelling := range d.spelt[s] {
			key := s + " as " + how + " in " + where
			if i := strings.Index(text, spelling); i >= 0 && d.lost[key] == "" {
				d.lost[key] = text[max(0, i-150):min(len(text), i+100)]
				d.t.Errorf("%s:\n…%s…", key, d.lost[key])
			}
		}
	}
}

// until handles messages until ok returns true.
func (d *spiedDesk) until(what string, holds func() bool) {
	d.t.Helper()
	limit := time.NewTimer(time.Minute)
	defer limit.Stop()
	for !holds() {
		select {
		case msg := <-d.msgs:
			d.take(msg)
		case <-limit.C:
			d.t.Fatalf("timed out waiting for %s:\n%s", what, ansi.Strip(d.model.View().Content))
		}
	}
}

// sees waits until the frame has a text.
func (d *spiedDesk) sees(text string) {
	d.t.Helper()
	d.until("“"+text+"”", func() bool {
		frame := d.model.View().Content
		return strings.Contains(ansi.Strip(frame), text) || strings.Contains(unwrapped(d.model, frame), text)
	})
}

// press presses keys and handles everything that follows at once, with the answers of agents.
func (d *spiedDesk) press(names ...string) {
	for _, name := range names {
		d.take(panetest.Key(name))
		d.settle()
	}
}

func (d *spiedDesk) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-d.msgs:
			d.take(msg)
		default: // all that remain wait for time
			return
		}
	}
}

func (d *spiedDesk) write(text string) {
	for _, r := range text {
		d.take(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	d.settle()
}

// says sends a message and waits for its answer.
func (d *spiedDesk) says(text string) {
	d.t.Helper()
	count := func() (n int) {
		for i := range d.model.state.Log.Len() {
			if r := d.model.state.Log.At(a2a.RecordID(i + 1)); r.Record.Kind == a2a.KindEnd {
				n++
			}
		}
		return n
	}
	before := count()
	for d.model.panes.composer.Value() != "" {
		d.press("ctrl+c")
	}
	d.write(text)
	d.press("enter")
	d.until("an answer to "+text, func() bool {
		c := d.model.conversation()
		return c != nil && count() > before && len(c.Turns) > 0 && !c.Turns[len(c.Turns)-1].Pending
	})
}
