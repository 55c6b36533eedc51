//go:build unix

package e2e

import (
	"context"
	"path/filepath"
	"testing"

	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
)

// What one session began another one lists, opens, listens to and cancels.
func TestATaskOfAnotherSessionIsListedAndCanceled(t *testing.T) {
	t.Parallel()
	scripts, err := demo.Scripts()
	if err != nil {
		t.Fatal(err)
	}
	agent, err := a2atest.Start(context.Background(), scripts[0], a2atest.Options{Pace: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(agent.Close)
	first := parley(t, 120, 40, "--no-record", agent.URL)
	first.WaitFor(`❯ Book me a flight`)
	first.Text("Watch fares to Tokyo until I say stop")
	first.Keys("Enter")
	first.WaitFor(`● working`)

	file := filepath.Join(t.TempDir(), "tasks.jsonl")
	s := parley(t, 120, 40, "--record", file, agent.URL)
	s.WaitFor(`❯ Book me a flight`)
	s.Text("/task")
	s.WaitFor(`❯ /task`)
	s.Keys("Enter")
	s.WaitFor(`─ tasks ─`)
	s.WaitFor(`has seen no task yet`)
	s.Text("l")
	s.WaitFor(`Listed by the agent at .* that is all`)
	s.WaitFor(`● working +\S+ +Watch fares to Tokyo +.* listed`)
	s.Text("/")
	s.WaitFor(`enter keep filter`)
	s.Text("completed")
	s.WaitFor(`No task is like that`)
	s.Keys("Escape")
	s.WaitFor(`Watch fares to Tokyo`)
	s.Text("s")
	s.WaitGone(`─ tasks ─`)
	s.WaitFor(`SubscribeToTask`)
	s.WaitFor(`Look number \d`)
	s.Keys("F3")
	s.WaitFor(`A stream tells of it`)
	s.WaitFor(`● working .* both`)
	s.Text("x")
	s.WaitFor(`x once more cancels task`)
	s.Text("x")
	s.WaitFor(`⊘ canceled .* both`)
	s.Text("x")
	s.WaitFor(`x once more asks the agent to cancel it all the same`)
	s.Text("x")
	s.WaitFor(`The agent answered TaskNotCancelable`)
	first.WaitFor(`⊘ canceled`)
	s.Keys("Enter")
	s.WaitGone(`─ tasks ─`)
	s.WaitFor(`TaskNotCancelable`)
	s.Keys("C-c", "C-c")
	ended(t, s, 0)

	again := parley(t, 120, 40, "open", file)
	again.WaitFor(`⊘ canceled`)
	again.Keys("F3")
	again.WaitFor(`⊘ canceled .* both`)
	again.WaitFor(`The agent answered TaskNotCancelable`)
}

// A task that this session never saw is asked for until it is over, and one key ends that.
func TestAPastedIdIsPolled(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "--no-record", sdkAgent(t))
	s.WaitFor(`parley +● Go SDK 2.4.0`)
	s.Text("/get nobody-knows-it")
	s.WaitFor(`❯ /get nobody-knows-it`)
	s.Keys("Enter")
	s.WaitFor(`TaskNotFound`)
	s.WaitFor(`└ task nobody`)
	s.Keys("F3")
	s.WaitFor(`─ tasks ─`)
	s.Text("l")
	s.WaitFor(`Listed by the agent at .* that is all`) // it lists nothing for nobody
	s.Keys("Escape")
	s.WaitGone(`─ tasks ─`)
	s.Keys("C-n")
	s.WaitFor(`→ new conversation`)
	s.Text("ask me")
	s.WaitFor(`❯ ask me`)
	s.Keys("Enter")
	s.WaitFor(`needs you`)
	s.Text("/poll")
	s.WaitFor(`❯ /poll`)
	s.Keys("Enter")
	s.WaitFor(`until it is over or waits for you`)
	s.WaitFor(`GetTask`)
}
