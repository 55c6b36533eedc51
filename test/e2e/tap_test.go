//go:build unix

package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Another client streams through a tap while a second one asks another agent: both chats are shown
// live, nothing can be sent, a fault cuts the client's next stream, and the tap is stopped.
func TestATapShowsWhatOtherClientsSay(t *testing.T) {
	t.Parallel()
	agent := startPausingAgent(t)
	ready := filepath.Join(t.TempDir(), "ready.json")
	s := parleyWith(t, 160, 45, nil, "tap", "--to", agent.URL, "--name", "slow", "--to", agent.URL, "--name", "other", "--ready-file", ready)
	s.WaitFor(`agents .* 2`)
	urls := tapAddresses(t, ready)
	first := streamThrough(t, urls[0], "Write to me")
	s.WaitFor(`(?s)e2e-client.*Write to me`)
	s.WaitFor(`← 200 text/event-stream`)
	s.WaitFor(`\blive\b|working`)
	s.WaitFor(`You only read here: other clients talk to slow`)
	second := streamThrough(t, urls[1], "Write to me")
	s.WaitFor(`• other|● other|other .*1`)
	agent.Release("gate")
	agent.Release("end")
	<-first
	<-second
	s.WaitFor(`completed`)
	s.Text("/tap")
	s.Keys("Enter")
	s.WaitFor(`slow .*› .*2 exchanges|slow .*› .*1 exchange`)
	s.Keys("!")
	s.WaitFor(`fault injection in tap slow`)
	s.Keys("k", "1", "Enter")
	s.WaitFor(`cut:1`)
	<-streamThrough(t, urls[0], "Write to me")
	s.Keys("c")
	s.WaitFor(`(?s)chain.*e2e-client/1.0 → slow`)
	s.Keys("Escape")
	s.WaitGone(`╭─ chain`)
	s.Text("/tap")
	s.Keys("Enter")
	s.Keys("x")
	s.WaitFor(`taps .* 1 tap `) // a verdict may take the place of the notice
	if _, err := http.Get(urls[0]); err == nil {
		t.Error("got an answer from a tap that was stopped")
	}
	s.Keys("Escape")
	s.WaitGone(`╭─ taps`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}

// tapAddresses waits for the file of --ready-file and returns the addresses of the taps.
func tapAddresses(t *testing.T, path string) (urls []string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(path)
		if err != nil {
			if time.Now().After(deadline) {
				t.Fatalf("the taps did not say where they listen: %v", err)
			}
			continue
		}
		var ready struct {
			Taps []struct{ URL string }
		}
		if err := json.Unmarshal(text, &ready); err != nil {
			t.Fatal(err)
		}
		for _, tap := range ready.Taps {
			urls = append(urls, tap.URL)
		}
		return urls
	}
}

// streamThrough sends a message to an agent behind a tap, as a client that is not Parley, reads the
// stream, and closes the channel at its end.
func streamThrough(t *testing.T, base, text string) <-chan struct{} {
	t.Helper()
	over := make(chan struct{})
	card, err := http.Get(base + "/.well-known/agent-card.json")
	if err != nil {
		t.Fatal(err)
	}
	defer card.Body.Close()
	var known struct {
		URL                 string
		SupportedInterfaces []struct{ URL string }
	}
	if err := json.NewDecoder(card.Body).Decode(&known); err != nil {
		t.Fatal(err)
	}
	endpoint := known.URL
	if len(known.SupportedInterfaces) > 0 {
		endpoint = known.SupportedInterfaces[0].URL
	}
	if !strings.HasPrefix(endpoint, base) {
		t.Fatalf("got endpoint %s in the card, want one at the tap %s", endpoint, base)
	}
	go func() {
		defer close(over)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{"message":{"messageId":"m`+strings.ReplaceAll(base, "/", "")+time.Now().String()+`","role":"ROLE_USER","parts":[{"text":"`+text+`"}]}}}`))
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
		req.Header.Set("A2A-Version", "1.0")
		req.Header.Set("User-Agent", "e2e-client/1.0")
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		for b := make([]byte, 4096); err == nil; {
			_, err = answer.Body.Read(b) // a fault may cut it
		}
	}()
	return over
}
