package a2a

import (
	"fmt"
	"strings"
	"testing"
)

// status01 returns a status event of 0.1, whose messages have no ids.
func status01(state, text, stamp string) testFrame {
	return testFrame{body: fmt.Sprintf(
		`{"id":"t","status":{"state":%q,"timestamp":%q,"message":{"role":"agent","parts":[{"type":"text","text":%q}]}},"final":false}`, state, stamp, text)}
}

// says returns the messages among the descriptions of deltas.
func says(words []string) string {
	var out []string
	for _, w := range words {
		if strings.Contains(w, "message ") {
			out = append(out, w)
		}
	}
	return strings.Join(out, "|")
}

func TestMessagesWithoutIDsStandOnceAfterAReplay(t *testing.T) {
	t.Parallel()
	all := []testFrame{
		status01("working", "looking", "2025-04-02T16:59:25"), status01("working", "still looking", "2025-04-02T16:59:26"),
		status01("working", "looking", "2025-04-02T16:59:27"), status01("completed", "found", "2025-04-02T16:59:28"),
	}
	for n := 1; n < len(all); n++ {
		f := NewFold()
		words := applyFrames(t, f, all[:n])
		f.Resume("t")
		words = append(words, applyFrames(t, f, all)...)
		if got := says(words); got != "message looking|message still looking|message looking|message found" {
			t.Errorf("cut after %d: got messages %s", n, got)
		}
		if state := f.Task("t").Status.State; state != StateCompleted {
			t.Errorf("cut after %d: got state %v, want %v", n, state, StateCompleted)
		}
	}
}

func TestAHistoryWithoutIDsIsAlignedByRoleOrderAndText(t *testing.T) {
	t.Parallel()
	f := NewFold()
	said := func(role, text string) string {
		return fmt.Sprintf(`{"role":%q,"parts":[{"type":"text","text":%q}]}`, role, text)
	}
	words := applyFrames(t, f, []testFrame{status01("working", "yes", "1"), status01("working", "no", "2")})
	f.Resume("t")
	history := strings.Join([]string{said("user", "yes"), said("agent", "yes"), said("agent", "no"), said("agent", "yes"), said("user", "no")}, ",")
	snapshot := testFrame{body: `{"id":"t","status":{"state":"working"},"history":[` + history + `]}`}
	words = append(words, applyFrames(t, f, []testFrame{snapshot})...)
	words = append(words, applyFrames(t, f, []testFrame{snapshot})...) // and a get at the end
	if got := says(words); got != "message yes|message no|past message yes|past message yes|past message no" {
		t.Errorf("got messages %s", got)
	}
}

func TestOneMessageIDIsOneMessageAcrossStreams(t *testing.T) {
	t.Parallel()
	f := NewFold()
	frames := []testFrame{{body: statusUpdate("working", agentMessage("m1", "Hel"))}, {body: statusUpdate("working", agentMessage("m1", "Hello"))}}
	words := applyFrames(t, f, frames)
	f.Resume("t")
	words = append(words, applyFrames(t, f, []testFrame{
		{body: taskBody("working", `,"history":[`+agentMessage("m1", "Hello")+`]`)}, frames[1], {body: statusUpdate("completed", agentMessage("m2", "bye"))},
	})...)
	if got := says(words); got != "message Hel|replaced message Hello|message bye" {
		t.Errorf("got messages %s", got)
	}
}

// An agent framework sends text twice, word by word and whole, and sends both again after a
// cut.
func TestPreviewsAreNotDoubledByAReplay(t *testing.T) {
	t.Parallel()
	partial := func(text string) testFrame {
		return testFrame{body: fmt.Sprintf(`{"kind":"artifact-update","taskId":"t","contextId":"c","metadata":{"adk_partial":true},
			"artifact":{"artifactId":"p","metadata":{"adk_partial":true},"parts":[{"kind":"text","text":%q}]}}`, text)}
	}
	all := []testFrame{{body: taskBody("submitted", "")}, partial("The "), partial("tide "), partial("comes")}
	for n := 1; n < len(all); n++ {
		f := NewFold()
		applyFrames(t, f, all[:n])
		f.Resume("t")
		applyFrames(t, f, all)
		if got := textOf(f.Task("t").Artifacts[0].Parts); got != "The tide comes" {
			t.Errorf("cut after %d: got text %q, want %q", n, got, "The tide comes")
		}
	}
}
