//go:build unix

package e2e

import "testing"

// A user tests another agent: the user cuts its stream, resends a broken request and reads the
// findings.
func TestAStreamIsCutAndARequestIsSentAgain(t *testing.T) {
	t.Parallel()
	agent := startPausingAgent(t)
	s := parley(t, 160, 50, "--no-record", agent.URL)
	s.WaitFor(`❯ Write to me`)
	s.Keys("Enter")
	s.WaitFor(`← ▤ first`)
	s.Keys("Tab", "Tab", "!")
	s.WaitFor(`─ fault injection ─`)
	s.Keys("k")
	s.WaitFor(`after how many more events\?`)
	s.Keys("5", "Enter")
	s.WaitFor(`the verdict follows`)
	agent.Release("gate")
	s.WaitFor(`• verdict · Cut after \d+ events`)
	s.WaitFor(`is held until`)

	s.Keys("g", "/")
	s.Text("SendStreaming")
	s.Keys("Enter", "e")
	waitForAll(s, "─ request to ", "with new ids", `"method": "SendStreamingMessage"`)
	s.Keys("Right")
	s.Text(`"mine": tru,`)
	s.WaitFor(`This is not JSON`)
	s.Keys("M-Enter")
	s.WaitGone(`─ request to `)
	s.WaitFor(`wrote a request by hand: POST`)
	s.Keys("Escape")
	s.WaitFor(`← .32700 JSONParse`)

	s.Keys("F")
	s.WaitFor(`─ findings ─`)
	s.Keys("Escape")
	s.WaitGone(`─ findings ─`)
	s.Keys("c")
	s.WaitFor(`─ copy ─`)
	s.Keys("c")
	s.WaitFor(`copied`)
	s.WaitForCopy(`(?s)\Acurl .*"mine": tru,`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}
