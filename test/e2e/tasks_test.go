//go:build unix

package e2e

import (
	"context"
	"path/filepath"
	"testing"

	"parley/a2a/a2atest"
)

// A second session lists, opens, subscribes to and cancels the tasks of the first one.
func TestATaskOfAnotherSessionIsListedAndCanceled(t *testing.T) {
	t.Parallel()
	agent := demoAgent(t, "Travel Desk")
	first := parley(t, 120, 40, "--no-record", agent.URL)
	first.WaitFor(`❯ Book me a flight`)
	first.Text("Watch fares to Tokyo until I say stop")
	first.Keys("Enter")
	first.WaitFor(atWork)

	file := filepath.Join(t.TempDir(), "tasks.jsonl")
	s := parley(t, 120, 40, "--record", file, agent.URL)
	s.WaitFor(`❯ Book me a flight`)
	s.Text("/task")
	s.WaitFor(`❯ /task`)
	s.Keys("Enter")
	s.WaitFor(`─ tasks of `)
	s.WaitFor(`has no task yet`)
	s.Text("l")
	s.WaitFor(`Listed by the agent at .* complete`)
	s.WaitFor(`● working +\S+ +Watch fares to Tokyo +.* listed`)
	s.Text("/")
	s.WaitFor(`enter keep filter`)
	s.Text("completed")
	s.WaitFor(`No task matches`)
	s.Keys("Escape")
	s.WaitFor(`Watch fares to Tokyo`)
	s.Text("s")
	s.WaitGone(`─ tasks of `)
	s.WaitFor(`SubscribeToTask`)
	s.WaitFor(`Look number \d`)
	s.Keys("F3")
	s.WaitFor(`A stream reports the task`)
	s.WaitFor(`● working .* both`)
	s.Text("x")
	s.WaitFor(`x again to cancel task`)
	s.Text("x")
	s.WaitFor(`⊘ canceled .* both`)
	s.Text("x")
	s.WaitFor(`x again to cancel it anyway`)
	s.Text("x")
	s.WaitFor(`The agent answered TaskNotCancelable`)
	first.WaitFor(`⊘ canceled`)
	s.Keys("Enter")
	s.WaitGone(`─ tasks of `)
	s.WaitFor(`TaskNotCancelable`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)

	again := parley(t, 120, 40, "open", file)
	again.WaitFor(`⊘ canceled`)
	again.Keys("F3")
	again.WaitFor(`⊘ canceled .* both`)
	again.WaitFor(`The agent answered TaskNotCancelable`)
}

// Unknown ids, and tasks without supported operations.
func TestAnyIdIsAskedFor(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "--no-record", sdkAgent(t))
	s.WaitFor(`^ Go SDK 2.4.0  `)
	s.Text("/get nobody-knows-it")
	s.WaitFor(`❯ /get nobody-knows-it`)
	s.Keys("Enter")
	s.WaitFor(`TaskNotFound`)
	s.WaitFor(`▌task nobody`)
	s.Keys("F3")
	s.WaitFor(`─ tasks of `)
	s.Text("l")
	s.WaitFor(`Listed by the agent at .* complete`) // it lists nothing for anonymous callers
	s.Keys("Escape")
	s.WaitGone(`─ tasks of `)
	s.Keys("C-n")
	s.WaitFor(`→ new conversation`)
	s.Text("ask me")
	s.WaitFor(`❯ ask me`)
	s.Keys("Enter")
	s.WaitFor(`waits for you`)
	s.Text("/poll")
	s.WaitFor(`❯ /poll`)
	s.Keys("Enter")
	s.WaitFor(`waits for your answer`)
	s.Text("/get")
	s.WaitFor(`❯ /get`)
	s.Keys("Enter")
	s.WaitFor(`GetTask`)
}

const slow = `
-- agent --
name Slow
dialect 1.0
endpoint /rpc
serve /.well-known/agent-card.json card application/json
-- card --
{"name":"Slow","description":"slow","version":"1","supportedInterfaces":[{"url":"{{origin}}/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
"capabilities":{"streaming":false},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"a","name":"A","description":"a","tags":[]}]}
-- scene work --
goto working
head 200 application/json
send answered
-- scene get --
on GetTask
state working
send got
-- answered --
{"jsonrpc":"2.0","id":{{id}},"result":{"task":{{task-object}}}}
-- got --
{"jsonrpc":"2.0","id":{{id}},"result":{{task-object}}}
-- task-object --
{"id":"{{task}}","contextId":"{{context}}","status":{"state":"TASK_STATE_WORKING"}}
`

// A task without a stream is polled at growing intervals that the screen shows; one key stops
// and restarts it.
func TestPollingIsSeenAndStopped(t *testing.T) {
	t.Parallel()
	script, err := a2atest.Parse("slow", []byte(slow))
	if err != nil {
		t.Fatal(err)
	}
	agent, err := a2atest.Start(context.Background(), script, a2atest.Options{Pace: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(agent.Close)
	s := parley(t, 120, 40, "--no-record", agent.URL)
	s.WaitFor(`▌Slow`)
	s.Text("take your time")
	s.WaitFor(`❯ take your time`)
	s.Keys("Enter")
	s.Keys("F3")
	s.WaitFor(`Next poll (in \d+ s|now), attempt [3-9]: p stops it`)
	s.WaitFor(`p stop polling`)
	s.Text("p")
	s.WaitFor(`stopped polling the task`)
	s.WaitGone(`Next poll`)
	s.Text("p")
	s.WaitFor(`Next poll (in \d+ s|now), attempt \d`)
	s.Keys("Escape")
	s.WaitGone(`─ tasks of `)
	s.Text("/poll")
	s.WaitFor(`❯ /poll`)
	s.Keys("Enter")
	s.WaitGone(`next poll in`)
}
