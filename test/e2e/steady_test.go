//go:build unix

package e2e

import (
	"context"
	_ "embed"
	"testing"

	"parley/a2a/a2atest"
)

//go:embed testdata/steady.txtar
var steadyScript []byte

// startPausingAgent starts an agent whose stream pauses in the middle until the gate is released,
// and before its end, so that a test can act while a stream is open, however slow the machine is.
func startPausingAgent(t *testing.T) *a2atest.Agent {
	t.Helper()
	return startScript(t, "steady", steadyScript)
}

// startScript starts an agent that a script describes, at the pace of the test.
func startScript(t *testing.T, name string, archive []byte) *a2atest.Agent {
	t.Helper()
	script, err := a2atest.Parse(name, archive)
	if err != nil {
		t.Fatal(err)
	}
	agent, err := a2atest.Start(context.Background(), script, a2atest.Options{Pace: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(agent.Close)
	return agent
}
