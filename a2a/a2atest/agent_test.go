package a2atest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func TestCutIsNoCleanEnd(t *testing.T) {
	a := start(t, Options{})
	for _, text := range []string{"cut", "reset"} {
		resp := post(t, a, "SendStreamingMessage", say(text, ""))
		got, err := io.ReadAll(resp.Body)
		if err == nil || text == "cut" && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: got error %v, want an unexpected EOF", text, err)
		}
		if text == "cut" && !bytes.HasSuffix(got, []byte(`data: {"torn`)) {
			t.Errorf("%s: got body %q, want it to end in the torn event", text, got)
		}
	}
}

func TestHeadsAndRoutes(t *testing.T) {
	a := start(t, Options{Record: true})
	resp := post(t, a, "SendMessage", say("page", ""))
	if got := all(t, resp); resp.StatusCode != 500 || got != "<h1>no</h1>\n" || resp.Header.Get("X-Who") != "page" {
		t.Errorf("page: got status %d, body %q, headers %v, want 500 with page and header", resp.StatusCode, got, resp.Header)
	}
	for path, want := range map[string]string{
		"/card.json": `{"url":"` + a.URL + `/rpc","restarts":0}` + "\n",
		"/hello":     "<h1>no</h1>\n",
		"/nothing":   "404 page not found\n",
	} {
		resp, err := http.Get(a.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if got := all(t, resp); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	got := a.Requests()
	if len(got) != 4 || got[0].RPC != "SendMessage" || !bytes.Contains(got[0].Body, []byte("page")) || got[1].Method != "GET" {
		t.Errorf("got requests %+v, want the POST with its body and three GETs", got)
	}
}

func TestRestartForgetsTasksAndComesBack(t *testing.T) {
	a := start(t, Options{Pace: 1})
	_ = all(t, post(t, a, "SendStreamingMessage", say("hi Ann", "")))
	_, err := http.Post(a.URL+"/rpc", "", strings.NewReader(`{"id":1,"method":"SendStreamingMessage","params":`+say("restart", "")+`}`))
	if err == nil {
		t.Error("the request that restarts the agent was answered, want an error")
	}
	var card string
	for card == "" { // ends with the test's own time limit
		if resp, err := http.Get(a.URL + "/card.json"); err == nil {
			card = all(t, resp)
			_ = resp.Body.Close()
		}
	}
	if !strings.Contains(card, `"restarts":1`) {
		t.Errorf("got card %s, want one restart", card)
	}
	if got := all(t, post(t, a, "GetTask", `{"id":"id-1"}`)); !strings.Contains(got, "-32001") {
		t.Errorf("got task %s after the restart, want task not found", got)
	}
}

func TestAnAgentIsAwayUntilItIsCalledBack(t *testing.T) {
	a := start(t, Options{})
	again := a.Leave()
	a.Leave()() // it is away already
	if resp, err := http.Get(a.URL + "/card.json"); err == nil {
		_ = resp.Body.Close()
		t.Fatal("the agent answers, want it away")
	}
	again()
	again()
	resp, err := http.Get(a.URL + "/card.json")
	if err != nil {
		t.Fatal(err)
	}
	if card := all(t, resp); !strings.Contains(card, `"restarts":1`) {
		t.Errorf("got card %s, want one restart", card)
	}
	_ = resp.Body.Close()
	unheard := a.Leave()
	a.Close()
	unheard()
}

func TestCloseEndsStreamsAndLeavesNothingRunning(t *testing.T) {
	a := start(t, Options{})
	var readers sync.WaitGroup
	for range 8 {
		resp := post(t, a, "SendStreamingMessage", say("hang", ""))
		readers.Go(func() {
			if _, err := io.ReadAll(resp.Body); err != nil {
				t.Errorf("got error %v, want a regular end of the stream", err)
			}
		})
	}
	a.Close()
	a.Close()
	readers.Wait()
	for { // ends with the test's own time limit
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		if !bytes.Contains(stacks, []byte("a2atest.(*Agent)")) {
			break
		}
		runtime.Gosched()
	}
}

func TestStartEndsWithItsContext(t *testing.T) {
	s, err := Parse("test", []byte(script), file("blob", ""))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	a, err := Start(ctx, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	resp := post(t, a, "SendStreamingMessage", say("hang", ""))
	cancel()
	_ = all(t, resp)
	a.Close()
}
