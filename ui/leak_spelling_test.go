package ui

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"parley/a2a"
	"parley/internal/pipetest"
	"parley/internal/secrettest"
	"parley/ui/control"
)

// A speller is an agent that repeats a secret in every spelling, each in a text that comes as the message
// says: whole, in chunks, in parts or in artifacts.
func speller(secret string, odd map[string]func(string) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var call struct {
			ID     json.RawMessage
			Params struct {
				Message struct{ Parts []struct{ Text string } }
			}
		}
		_ = json.Unmarshal(body, &call)
		if r.Method == http.MethodGet {
			fmt.Fprintf(w, `{"name":"Speller","version":"1","capabilities":{"streaming":true},"skills":[],"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
				"supportedInterfaces":[{"url":"http://%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, r.Host)
			return
		}
		if len(call.Params.Message.Parts) == 0 { // it is asked for the task
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32004,"message":"no"}}`, call.ID)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		event := func(result string) {
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", call.ID, result)
		}
		artifact := func(id string, appended bool, texts ...string) {
			var parts []string
			for _, text := range texts {
				parts = append(parts, `{"text":"`+quote(text)+`"}`)
			}
			event(fmt.Sprintf(`{"artifactUpdate":{"taskId":"t","contextId":"c","append":%v,"artifact":{"artifactId":"%s","parts":[%s]}}}`, appended, id, strings.Join(parts, ",")))
		}
		event(`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`)
		for _, name := range slices.Sorted(maps.Keys(odd)) {
			said := "It is " + odd[name](secret) + ", I think.\n"
			var pieces []string
			for text := []rune(said); len(text) > 0; text = text[min(5, len(text)):] {
				pieces = append(pieces, string(text[:min(5, len(text))]))
			}
			switch call.Params.Message.Parts[0].Text {
			case "whole":
				artifact(name, false, said)
				event(`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"` + quote(said) + `"},{"data":{"said":"` + quote(said) + `"}}]}}}}`)
			case "chunks":
				for i, piece := range pieces {
					artifact(name, i > 0, piece)
				}
			case "parts":
				artifact(name, false, pieces...)
			case "artifacts":
				for i, piece := range pieces {
					artifact(fmt.Sprint(name, i), false, piece)
				}
			}
		}
		event(`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`)
	}
}

// renderedAlone are spellings that a renderer alone puts together: nothing can tell them from other text before.
var renderedAlone = map[string]func(string) string{
	"md-underscores": func(s string) string { return strings.Replace(s, "Q", "__Q__", 1) },
	"md-reference":   func(s string) string { return "[" + s[:3] + "][1]" + s[3:] + "\n\n[1]: http://x/\n\n" },
	"md-quote":       func(s string) string { return "\n\n> " + s[:6] + "\n> " + s[6:] + "\n\n" },
}

// However an agent spells a secret, no screen, clipboard or export shows it to a reader, and no recording of a
// session in which it was known from the beginning.
func TestNoSpellingOfASecretIsShown(t *testing.T) {
	t.Parallel()
	const secret = "PLA-NT_9x/Q+z=7Zk-4"
	odd := maps.Clone(secrettest.Spellings)
	maps.Copy(odd, renderedAlone)
	for name, later := range map[string]bool{"known from the beginning": false, "known later": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := pipetest.At("127.0.0.1:8001")
				agent := serveAt(t, server, speller(secret, odd))
				d, journal, engine := newSpiedDesk(t, []string{secret}, Options{}, agent.URL, func(ref string) a2a.Options {
					o := a2a.Options{UserAddresses: []string{ref}, UserAgent: "parley", Dial: pipetest.Dialer(server)}
					if !later {
						o.Bearer = secret
					}
					return o
				})
				d.strict = true
				if later {
					d.hidden = nil
				}
				d.until("the card", func() bool { a := d.model.agent(); return a != nil && a.Card != nil })
				for _, how := range []string{"whole", "chunks", "parts", "artifacts"} {
					d.says(how)
				}
				d.model.opts.Secrets.Know(secret)
				d.hidden = []string{secret}
				d.focus(control.OnChat)
				d.press("z", "g")
				for range 40 {
					d.press("pgdown")
				}
				d.press("z")
				d.conversationPane()
				d.wirePane()
				d.focus(control.OnComposer)
				files := []string{"out.md", "out.html", "out.har", "out.jsonl"}
				for _, file := range files {
					d.write("/export " + file)
					d.press("enter")
					d.until("the export "+file, func() bool { _, err := os.Stat(filepath.Join(d.dir, file)); return err == nil })
				}
				engine.Close()
				d.settle()
				if err := journal.Close(); err != nil {
					t.Error(err)
				}
				if later {
					if err := os.Remove(filepath.Join(d.dir, "run.jsonl")); err != nil {
						t.Error(err)
					}
				}
				d.files(files...)
			})
		})
	}
}
