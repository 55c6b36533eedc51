package interop

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/engine"
	"parley/session/log"
	"parley/session/model"
)

// TestSDKsUnderFaults injects every fault into official SDKs and checks the verdicts about
// their behaviour.
func TestSDKsUnderFaults(t *testing.T) {
	verdicts := map[string]map[engine.FaultKind]string{
		"a2a-go-2.4.0": {
			engine.FaultResubscribe: "Resubscribing worked, beginning with the whole task. Its task is now working.",
			engine.FaultDuplicate:   "Both streams got the same",
			engine.FaultPause:       "The agent waited:",
			engine.FaultCancel:      "The agent answered canceled. The stream reported canceled and closed,",
		},
		"a2a-go-0.3.3": {
			engine.FaultResubscribe: "Resubscribing worked, continuing without a snapshot. Its task is now working.",
			engine.FaultDuplicate:   "Both streams got the same",
			engine.FaultPause:       "The agent waited:",
			engine.FaultCancel:      "The agent answered canceled. The stream reported canceled and closed,",
		},
		"a2a-js-1.3.0": {
			engine.FaultDuplicate: "The second stream began with 1 event of its own.",
			engine.FaultCancel:    "The agent refused to cancel: TaskNotCancelable.",
		},
		"trpc-a2a-go-0.2.5": {
			engine.FaultCancel: " without reporting it.",
		},
	}
	for _, s := range slices.Concat(sdks, grpcSDKs[:1]) {
		want := verdicts[s.module]
		if want == nil {
			continue
		}
		t.Run(s.module+" "+string(s.dialect), func(t *testing.T) {
			t.Parallel()
			url := start(t, s.module)
			for kind, words := range want {
				t.Run(kind.String(), func(t *testing.T) { underFault(t, s.at(url, nil), kind, words) })
			}
			if len(s.refused) > 0 {
				return // some presets use methods that it does not have
			}
			t.Run("by hand", func(t *testing.T) { byHand(t, s.at(url, nil)) })
		})
	}
}

// underFault injects a fault into a counting stream and reads the verdict. It repeats with a
// longer count if the stream ended before the fault.
func underFault(t *testing.T, at target, kind engine.FaultKind, words string) {
	for n := 100; ; n *= 4 {
		said, wire := injectFault(t, at, kind, n)
		if strings.Contains(said, words) {
			return
		}
		if n > 5000 { // a slow machine may need several attempts
			t.Fatalf("got verdict %q, want %q\n%s", said, words, wire)
		}
	}
}

// injectFault injects a fault into a stream that counts to n, and returns the verdict.
func injectFault(t *testing.T, at target, kind engine.FaultKind, n int) (said, wire string) {
	d := open(t, at)
	turn := d.send(model.Target{}, fmt.Sprintf("count %d", n), a2a.True)
	d.until("the third event", func() bool { return len(d.records(a2a.KindEvent)) > 2 })
	x := d.records(a2a.KindEvent)[0].Exchange
	if why := d.engine.InjectFault(x, engine.Fault{Kind: kind}); why != "" {
		return why, d.wire()
	}
	if kind == engine.FaultPause {
		if why := d.engine.InjectFault(x, engine.Fault{Kind: engine.FaultResume}); why != "" {
			return why, d.wire()
		}
	}
	d.until("the verdict", func() bool {
		for _, r := range d.records(a2a.KindNote) {
			if r.Note.Type == log.NoteVerdict {
				said = r.Note.Attrs["sentence"]
			}
		}
		return said != ""
	})
	d.wait(turn)
	last := fmt.Sprintf(" %d %d ", n-1, n)
	if task := d.task(turn); kind != engine.FaultCancel && (task.State != a2a.StateCompleted || !strings.HasSuffix(string(task.Artifacts[0].Text), last)) {
		t.Errorf("got task %s with %+v, want it completed", task.State, task.Artifacts)
	}
	return said, d.wire()
}

// byHand resends a captured request with one change, and every preset.
func byHand(t *testing.T, at target) {
	d := open(t, at)
	turn := d.wait(d.send(model.Target{}, "count 3", a2a.True))
	r, missing := a2a.Unmask(&d.state.Log.At(turn.Record).Record)
	if len(missing) != 0 {
		t.Errorf("got missing secrets %q, want none", missing)
	}
	r.Body = bytes.Replace(r.Body, []byte("count 3"), []byte("count 4"), 1)
	again := d.wait(d.engine.SendRaw(d.agent, turn.Conversation.ID, r))
	if task := d.task(again.ID); string(task.Artifacts[0].Text) != "1 2 3 4 " {
		t.Errorf("got artifacts %+v, want one with 1 to 4\n%s", task.Artifacts, d.wire())
	}
	for _, p := range d.engine.Presets(d.agent) {
		before := d.state.Log.Len()
		id := d.engine.SendRaw(d.agent, turn.Conversation.ID, p.Request)
		d.until("the preset is answered", func() bool { return d.over[id] })
		for i := before + 1; i <= d.state.Log.Len(); i++ {
			for _, ev := range d.state.Log.At(a2a.RecordID(i)).Update.Events {
				if ev.Err != nil && slices.Contains([]int64{-32700, -32600, -32601, -32602}, ev.Err.Code) {
					t.Errorf("%s: got error %v, want the request understood\n%s", p.Name, ev.Err, p.Request.Body)
				}
			}
		}
	}
}

// records returns those of a kind.
func (d *harness) records(kind a2a.RecordKind) (list []*a2a.Record) {
	for i := 1; i <= d.state.Log.Len(); i++ {
		it := d.state.Log.At(a2a.RecordID(i))
		if r := &it.Record; r.Kind == kind && (r.Call == nil || r.Call.Op != a2a.OpCard) {
			list = append(list, r)
		}
	}
	return list
}
