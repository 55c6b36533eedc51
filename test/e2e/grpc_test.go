//go:build unix

package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"parley/a2a/grpc/grpctest"
	"parley/internal/porttest"
)

// A pier is an agent over gRPC whose streams pause until the test goes on.
type pier struct {
	address string
	gates   chan struct{} // a value lets one stream go on
}

func (p *pier) answer(c *grpctest.Call) error {
	const working = `{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}%s}}`
	chunk := func(text string, more bool) string {
		return fmt.Sprintf(`{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":%v,"artifact":{"artifactId":"a","name":"tides.md","parts":[{"text":%q}]}}}`, more, text)
	}
	switch c.Path[strings.LastIndexByte(c.Path, '/')+1:] {
	case "GetExtendedAgentCard":
		return c.Answer(`{"name":"Pier","description":"Knows the tides.","version":"1","capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],` +
			`"skills":[{"id":"tides","name":"Tides","description":"Tells the tides.","tags":["sea"],"examples":["When is high water?"]}],` +
			`"supportedInterfaces":[{"url":"` + p.address + `","protocolBinding":"GRPC","protocolVersion":"1.0"}]}`)
	case "SendStreamingMessage":
		return p.say(c, fmt.Sprintf(working, ""), chunk("High water ", false), chunk("is at ", true), "")
	case "SubscribeToTask":
		return p.say(c, fmt.Sprintf(working, `,"artifacts":[{"artifactId":"a","name":"tides.md","parts":[{"text":"High water is at "}]}]`), "", chunk("six o'clock.", true),
			`{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}`)
	default:
		return status.Error(codes.Unimplemented, "no such method")
	}
}

// say sends messages; an empty one is a pause.
func (p *pier) say(c *grpctest.Call, messages ...string) error {
	for _, text := range messages {
		if text == "" {
			select {
			case <-p.gates:
			case <-c.Stream.Context().Done():
				return c.Stream.Context().Err()
			}
		} else if err := c.Answer(text); err != nil {
			return err
		}
	}
	return nil
}

// An agent over gRPC streams, goes away in the middle and comes back: the screen says over what it
// speaks, what was cut and where it went on, and the session file shows the same.
func TestAnAgentOverGRPC(t *testing.T) {
	t.Parallel()
	p := &pier{gates: make(chan struct{})}
	port := porttest.Keep(t)
	server := grpctest.Serve(t, port.Listen(), p.answer)
	p.address = server.Address
	file := filepath.Join(t.TempDir(), "pier.jsonl")
	s := parley(t, 200, 60, "--record", file, "grpc://"+server.Address)
	s.WaitFor(`^ Pier +A2A 1\.0 · gRPC`) // header
	s.WaitFor(`❯ When is high water`)
	s.WaitFor(`→ GetExtended`)
	s.Keys("Enter")
	s.WaitFor(`→ SendStream`)
	s.WaitFor(`← gRPC`)
	s.WaitFor(`│ High water is at`)
	s.WaitFor(atWork)

	s.Keys("Tab", "Tab") // the newest record
	s.WaitFor(`text +"is at "`)
	s.Keys("2")
	s.WaitFor(`0000 +22 [0-9a-f]{2} 0a 02 74 31`) // artifact_update, task t1
	s.Keys("c")
	s.WaitFor(`c +grpcurl`)
	s.Keys("c")
	s.WaitForCopy(`(?s)^grpcurl -plaintext .*lf\.a2a\.v1\.A2AService/SendStreamingMessage`)

	server.Server.Stop()
	s.WaitFor(`↯ cut after #\d+`)
	s.WaitFor(`← end · cut off`)
	grpctest.Serve(t, port.Listen(), p.answer)
	s.WaitFor(`→ SubscribeTo`)
	s.WaitFor(atWork + ` .*↯ cut after #\d+ ── resumed`)
	s.WaitFor(`it went on [\d.]+ m?s later at #\d+`)
	p.gates <- struct{}{}
	s.WaitFor(`✓ working .*↯ cut after #\d+ ── resumed ── ✓ completed`)
	s.WaitFor(`│ High water is at six o'clock\.`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)

	s = parley(t, 200, 60, "open", file) // the session file shows the same
	s.WaitFor(`^ Pier +A2A 1\.0 · gRPC`)
	s.WaitFor(`✓ working .*↯ cut after #\d+ ── resumed ── ✓ completed`)
	s.WaitFor(`│ High water is at six o'clock\.`)
	s.WaitFor(`→ SubscribeTo`)
	s.Keys("Tab", "/")
	s.Text("kind:event") // what comes after them depends on the time at which the program ended
	s.Keys("Enter")
	s.WaitFor(`/ kind:event +esc clears`)
	s.Keys("G", "2")
	s.WaitFor(`0000 +(0a|12|1a|22) `)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}
