package cli

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// supplied are the user's secrets and the flags that set them; %s is the URL.
var supplied = map[string]struct {
	value string
	args  []string
}{
	"bearer":    {"bearer/0ne+ä\"x", []string{"-a", "%s", "--bearer", "bearer/0ne+ä\"x"}},
	"API key":   {"api-key-0ne-two", []string{"-a", "%s", "--api-key", "api-key-0ne-two"}},
	"header":    {"plain words here", []string{"-a", "%s", "--svc-param", "X-Team:plain words here"}},
	"short":     {"p4ss", []string{"-a", "%s", "--svc-param", "X-Pass:p4ss"}},
	"basic":     {"the-passw0rd", []string{"-a", "%s", "--svc-param", "Authorization:Basic " + base64.StdEncoding.EncodeToString([]byte("ann:the-passw0rd"))}},
	"query":     {"in-the-query-1", []string{"-a", "%s?x=in-the-query-1&ticket=p4ss", "--bearer", "b"}},
	"endpoint":  {"in-the-endpoint", []string{"-a", "%s", "--endpoint", "%s/rpc?zone=in-the-endpoint"}},
	"fragment":  {"in-the-fragment", []string{"-a", "%s#code=in-the-fragment"}},
	"token":     {"ghp_0123456789abcdefghijABCDEFGHIJ456789", []string{"-a", "%s"}},
	"key":       {"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", []string{"-a", "%s"}},
	"user":      {"t0ken-as-user", []string{"-a", "%s", "user"}},
	"password":  {"passw0rd-of-user", []string{"-a", "%s", "user"}},
	"member":    {"value-of-a-member", []string{"-a", "%s", "--mask-member", "pin_code"}},
	"a cookie":  {"crumbs-crumbs", []string{"-a", "%s", "--svc-param", "Cookie:a=1; b=crumbs-crumbs"}},
	"two words": {"second-word", []string{"-a", "%s", "--svc-param", "X-Sig:first second-word"}},
}

// An echo is an agent that repeats a secret in every possible way.
type echoAgent struct {
	*httptest.Server
	secret, shown string // shown is the form of the secret in texts
	mode          string
}

func (e *echoAgent) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var call struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.Unmarshal(body, &call)
	w.Header().Set("X-Echo", url.PathEscape(e.shown))
	w.Header().Set("X-Pass", e.secret)
	card := fmt.Sprintf(`{"name":"Echo","description":%s,"version":"1","capabilities":{"streaming":true},"skills":[],"defaultInputModes":["text/plain"],
		"defaultOutputModes":["text/plain"],"supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, quoteJSON(e.shown), e.URL)
	said := fmt.Sprintf("you sent %s, %s, %s", e.shown, base64.StdEncoding.EncodeToString([]byte(e.shown)), url.QueryEscape(e.shown))
	parts := fmt.Sprintf(`[{"text":%s},{"data":{"a":[%s],"pinCode":%s,"nested":%s,%s:1}},{"text":"%s"}]`,
		quoteJSON(said), quoteJSON(e.shown), quoteJSON(e.shown), quoteJSON(`{"password":`+quoteJSON(e.secret)+`}`), quoteJSON(e.shown), strings.ReplaceAll(strings.Trim(quoteJSON(e.shown), `"`), "/", `\/`))
	task := func(state string) string {
		return `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_` + state + `","message":{"messageId":"m","role":"ROLE_AGENT","parts":` + parts + `}}}`
	}
	switch {
	case r.Method == http.MethodGet:
		_, _ = io.WriteString(w, card)
	case e.mode == "redirect" && !strings.Contains(r.URL.Path, "moved"):
		http.Redirect(w, r, "/moved?code="+url.QueryEscape(e.shown), http.StatusTemporaryRedirect)
	case e.mode == "401":
		w.Header().Set("WWW-Authenticate", `Bearer error="`+url.PathEscape(e.shown)+`"`)
		w.WriteHeader(401)
		_, _ = io.WriteString(w, "no: "+said)
	case e.mode == "500":
		w.WriteHeader(500)
		_, _ = io.WriteString(w, `{"error":`+quoteJSON(said)+`}`)
	case e.mode == "error":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":%s,"data":%s}}`, call.ID, quoteJSON(said), parts)
	case call.Method == "SendStreamingMessage":
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, ": %s\nid: 1\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"task\":%s}}\n\n", e.shown, call.ID, task("WORKING"))
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\ndata: \"result\":{\"artifactUpdate\":{\"taskId\":\"t1\",\"contextId\":\"c1\",\"artifact\":{\"artifactId\":\"a\",\"parts\":%s}}}}\n\n", call.ID, parts)
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"statusUpdate\":{\"taskId\":\"t1\",\"contextId\":\"c1\",\"status\":{\"state\":\"TASK_STATE_INPUT_REQUIRED\"}}}}\n\n", call.ID)
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"task":%s}}`, call.ID, task("INPUT_REQUIRED"))
	}
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func TestNoSecretLeavesTheCommandLine(t *testing.T) {
	t.Parallel()
	for name, s := range supplied {
		for _, mode := range []string{"", "redirect", "401", "500", "error"} {
			t.Run(strings.TrimSpace(name+" "+mode), func(t *testing.T) {
				t.Parallel()
				agent := &echoAgent{secret: s.value, shown: s.value, mode: mode}
				switch name {
				case "short":
					agent.shown = "nothing" // so short a secret is masked only in its own place
				case "key":
					agent.shown = "-----BEGIN PRIVATE KEY-----\n" + s.value + "\n-----END PRIVATE KEY-----"
				case "member", "fragment":
					agent.shown = "nothing"
				}
				agent.Server = httptest.NewServer(http.HandlerFunc(agent.serve))
				defer agent.Close()
				address := agent.URL
				var args []string
				for _, a := range s.args {
					if a == "user" {
						address = strings.Replace(agent.URL, "://", "://"+map[string]string{"user": s.value, "password": "me:" + s.value}[name]+"@", 1)
						args[1] = address
						continue
					}
					args = append(args, strings.ReplaceAll(a, "%s", address))
				}
				for _, command := range [][]string{{"card", "get"}, {"send", "x"}, {"send", "x", "--stream"}, {"send", "x", "-o", "json"}, {"send", "x", "--stream", "-o", "json"}, {"config", "show"}} {
					record := filepath.Join(t.TempDir(), "run.jsonl")
					line := append(append([]string{}, command...), args...)
					if command[0] != "config" {
						line = append(line, "--record", record, "--debug", "--verbose")
					}
					if name == "member" {
						line = append(line, "--debug")
					}
					r := parley(t, line...)
					journal, err := os.ReadFile(record)
					if err != nil && command[0] != "config" && name != "user" && name != "password" {
						t.Fatalf("got no recording: %v\n%s", err, r.err)
					}
					for where, text := range map[string]string{"standard output": r.out, "standard error": r.err, "the recording": string(journal)} {
						for _, spelling := range []string{s.value, strings.Trim(quoteJSON(s.value), `"`), strings.Trim(quoteJSON(strings.Trim(quoteJSON(s.value), `"`)), `"`),
							base64.StdEncoding.EncodeToString([]byte(s.value)), url.QueryEscape(s.value), url.PathEscape(s.value)} {
							if name == "token" && strings.HasPrefix(spelling, "Z2hw") {
								continue // the user did not set it, and base64 hides its shape
							}
							if i := strings.Index(text, spelling); i >= 0 {
								t.Errorf("%q: got secret %q in %s, want it masked: …%s…", strings.Join(command, " "), spelling, where, text[max(0, i-120):min(len(text), i+80)])
								break
							}
						}
					}
				}
			})
		}
	}
}

func TestTheCommandThatGoesOnNamesVariables(t *testing.T) {
	t.Parallel()
	agent := &echoAgent{secret: "nothing", shown: "nothing"}
	agent.Server = httptest.NewServer(http.HandlerFunc(agent.serve))
	defer agent.Close()
	r := parley(t, "send", "x", "-a", agent.URL+"?ticket=in-the-query&ticket=another1&a=b", "--endpoint", agent.URL+"/rpc?zone=in-the-endpoint")
	want := `--agent-card '` + agent.URL + `?ticket='"$A2A_TICKET"'&ticket='"$A2A_TICKET_2"'&a='"$A2A_A" --endpoint "` + agent.URL + `/rpc?zone=$A2A_ZONE"`
	if r.code != 0 || !strings.Contains(r.out, want) {
		t.Errorf("got exit %d, want 0 and %s in\n%s%s", r.code, want, r.out, r.err)
	}
}
