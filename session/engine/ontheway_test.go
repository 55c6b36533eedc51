package engine

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/session/sessiontest"
)

// twoInterfaces is a card of 1.0 that offers JSON-RPC at /rpc and HTTP+JSON at /rest.
func twoInterfaces(first string, streams bool) string {
	offers := []string{at("JSONRPC", "{{url}}/rpc"), at("HTTP+JSON", "{{url}}/rest")}
	if first == "HTTP+JSON" {
		slices.Reverse(offers)
	}
	card := fmt.Sprintf(`{"name":"Desk","description":"d","version":"1","capabilities":{"streaming":%v},"skills":[],"defaultInputModes":[],"defaultOutputModes":[],"supportedInterfaces":[%s]}`,
		streams, strings.Join(offers, ","))
	return card
}

// messages returns the requests that brought a message.
func (f *pathAgent) messages() []string {
	return slices.DeleteFunc(f.requests(), func(r string) bool {
		return !strings.Contains(strings.ToLower(r), "send") && !strings.Contains(r, ":stream")
	})
}

// behind is an agent of two interfaces of which the message with number at gets an answer of a server on the way.
func behind(t *testing.T, card string, number int, refusal func(w http.ResponseWriter)) *pathAgent {
	var n atomic.Int64
	return newPathAgent(t, card, func(w http.ResponseWriter, r *http.Request, method string) {
		sends := strings.Contains(method, "Send") || strings.Contains(r.URL.Path, "/message:")
		if sends {
			n.Add(1)
		}
		switch {
		case sends && n.Load() == int64(number):
			refusal(w)
		case method == "GetTask":
			jsonAnswer(w, noSuchTask)
		case method != "":
			jsonAnswer(w, reply10)
		case sends:
			_, _ = io.WriteString(w, `{"message":{"messageId":"r1","role":"ROLE_AGENT","contextId":"c","parts":[{"text":"hi"}]}}`)
		default:
			refuse(w, http.StatusNotFound, `{"error":{"code":404,"status":"NOT_FOUND","message":"no such task","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND","domain":"a2a-protocol.org"}]}}`)
		}
	})
}

// A 404 or 405 of a server on the way is not taken for a missing method: the message is not sent again, neither
// over another interface of the card nor in another dialect.
func TestAPageOnTheWayIsNoMissingMethod(t *testing.T) {
	t.Parallel()
	pages := map[string]func(w http.ResponseWriter){
		"404": func(w http.ResponseWriter) { refuse(w, 404, "") }, "405": func(w http.ResponseWriter) { refuse(w, 405, "no") },
		"404 page": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/html")
			refuse(w, 404, "<html><title>Oops</title></html>")
		},
		"404 JSON": func(w http.ResponseWriter) { refuse(w, 404, `{"detail":"Not Found"}`) },
	}
	for name, page := range pages {
		for _, binding := range []string{"JSONRPC", "HTTP+JSON"} {
			for number, because := range map[int]string{1: "and a probe right after it as A2A", 2: "but has answered as A2A before"} {
				t.Run(fmt.Sprint(name, " ", binding, " ", number), func(t *testing.T) {
					f := behind(t, twoInterfaces(binding, false), number, page)
					d := newHarness(t, nil)
					id := d.openAgent(f.URL)
					for range number - 1 {
						d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
					}
					turn, sig := d.sendText(model.Target{Agent: id}, "count", model.SendOptions{})
					if got := f.messages(); len(got) != number {
						t.Errorf("got messages %q, want %d", got, number)
					}
					if !strings.Contains(sig.Sentence, because) || !strings.Contains(sig.Sentence, "something on the way may have refused the request") {
						t.Errorf("got turn end %q, want one with %q", sig.Sentence, because)
					}
					if pr := sessiontest.Problems(turn); len(pr) != 1 || pr[0].Sentence != sig.Sentence {
						t.Errorf("got problems %s, want the sentence of the turn's end", sessiontest.Sentences(turn))
					}
					if p := d.state.Agent(id).Profile; len(p.Warnings) != 0 || (p.Binding == a2a.BindingREST) != (binding == "HTTP+JSON") {
						t.Errorf("got profile %+v, want that of the card", p)
					}
					d.finish()
				})
			}
		}
	}
}

// Where no probe is answered either, the card's next interface is tried, and that is the reason.
func TestWhereNothingAnswersTheNextInterfaceIsTried(t *testing.T) {
	t.Parallel()
	for binding, vacant := range map[string]string{"JSONRPC": "/rpc", "HTTP+JSON": "/rest"} {
		f := newPathAgent(t, twoInterfaces(binding, false), func(w http.ResponseWriter, r *http.Request, method string) {
			switch {
			case strings.HasPrefix(r.URL.Path, vacant):
				refuse(w, 404, "<html><title>Oops</title></html>")
			case method != "":
				jsonAnswer(w, reply10)
			default:
				_, _ = io.WriteString(w, `{"message":{"messageId":"r1","role":"ROLE_AGENT","contextId":"c","parts":[{"text":"hi"}]}}`)
			}
		})
		d := newHarness(t, nil)
		turn, sig := d.sendText(model.Target{Agent: d.openAgent(f.URL)}, "hello", model.SendOptions{})
		if got := f.messages(); sig.Sentence != "" || len(got) != 2 {
			t.Errorf("%s: got turn end %q, messages %q; want no failure, two", binding, sig.Sentence, got)
		}
		o, _ := turn.Outcome()
		if n := len(o.Attempts); n != 2 || o.Attempts[1].Why != a2a.WhyNextInterface {
			t.Errorf("%s: got attempts %+v, want the second for the next interface", binding, o.Attempts)
		}
		said := sessiontest.Sentences(turn)
		if !strings.Contains(said, "answered the request with 404 Not Found with a web page titled “Oops”, and probes not as A2A; Parley sent the request as A2A 1.0 over") || strings.Contains(said, "has no ") {
			t.Errorf("%s: got problems %q", binding, said)
		}
		d.finish()
	}
}

// The path of a stream is taken for missing only where the refusal and the answer to a probe name the same server.
func TestAStreamIsSentPlainOnlyWhereItsPathIsMissing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, agent, refuses string
		options              int // the status with which OPTIONS of the path is answered
		sent                 []string
	}{
		{"by the agent's server", "uvicorn", "uvicorn", 405, []string{"POST /rest/message:stream", "POST /rest/message:send"}},
		{"by a server that names itself", "", "nginx", 204, []string{"POST /rest/message:stream"}},
		{"by another server", "uvicorn", "nginx", 200, []string{"POST /rest/message:stream"}},
		{"by nobody in particular", "", "", 405, []string{"POST /rest/message:stream"}},
		{"by nobody, as OPTIONS", "", "", 404, []string{"POST /rest/message:stream", "POST /rest/message:send"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plain := behind(t, twoInterfaces("HTTP+JSON", true), 1, func(w http.ResponseWriter) {
				w.Header().Del("Server")
				if c.refuses != "" {
					w.Header().Set("Server", c.refuses)
				}
				w.Header().Set("Content-Type", "text/html")
				refuse(w, 404, "<html><title>Oops</title></html>")
			})
			answer := plain.answer
			plain.answer = func(w http.ResponseWriter, r *http.Request, method string) {
				if c.agent != "" {
					w.Header().Set("Server", c.agent)
				}
				if r.Method == http.MethodOptions {
					refuse(w, c.options, "")
					return
				}
				answer(w, r, method)
			}
			d := newHarness(t, nil)
			id := d.openAgent(plain.URL)
			turn, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
			asked := func(name string) bool { return strings.HasPrefix(name, "OPTIONS ") }
			if got := slices.DeleteFunc(plain.messages(), asked); !slices.Equal(got, c.sent) {
				t.Errorf("got messages %q, want %q", got, c.sent)
			}
			for _, name := range plain.messages() {
				if asked(name) && name != "OPTIONS /rest/message:stream" {
					t.Errorf("got request %q, want OPTIONS of the path of streams alone", name)
				}
			}
			again := len(c.sent) == 2
			said := strings.Contains(sig.Sentence, "the agent has no path for streams though its card declares them, or something on the way refused the request. If it has none, --async")
			if said == again || again != strings.Contains(sessiontest.Sentences(turn), "Parley sent the message again without a stream") {
				t.Errorf("got turn end %q, problems %q", sig.Sentence, sessiontest.Sentences(turn))
			}
			if d.state.Agent(id).Profile.Streaming == again {
				t.Errorf("got streaming %v, want %v", !again, again)
			}
			d.finish()
		})
	}
}
