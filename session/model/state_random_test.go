package model_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

func FuzzApply(f *testing.F) {
	bodies := vectors(f)
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz"), bodies[0])
	f.Fuzz(func(t *testing.T, numbers, body []byte) {
		i := 0
		number := func(n int) int {
			if i++; i > len(numbers) || n <= 0 {
				return 0
			}
			return int(numbers[i-1]) % n
		}
		s := model.NewState()
		applyRandomItems(s, append(bodies[:len(bodies):len(bodies)], body, body, body), number, min(len(numbers), 200))
		sessiontest.CheckPlaces(t, s)
	})
}

// vectors returns the bodies and frames of all vectors.
func vectors(tb testing.TB) [][]byte {
	tb.Helper()
	var all [][]byte
	err := filepath.WalkDir("../../a2a/testdata/vectors", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.HasSuffix(path, ".sse") {
			for frame := range bytes.SplitSeq(b, []byte("\n\n")) {
				all = append(all, bytes.TrimPrefix(frame, []byte("data: ")))
			}
			return err
		}
		all = append(all, b)
		return err
	})
	if err != nil || len(all) == 0 {
		tb.Fatal("no vectors: ", err)
	}
	return all
}

// applyRandomItems applies items made of vectors and numbers out of a source, with no
// regard to whether they make sense.
func applyRandomItems(s *model.State, bodies [][]byte, number func(n int) int, items int) {
	kinds := []a2a.RecordKind{a2a.KindRequest, a2a.KindHead, a2a.KindBody, a2a.KindEvent, a2a.KindEvent, a2a.KindEvent, a2a.KindEnd, a2a.KindNote, "new"}
	ops := []a2a.Op{a2a.OpSend, a2a.OpStream, a2a.OpGet, a2a.OpSubscribe, a2a.OpCancel, a2a.OpCard, "other"}
	reasons := []a2a.EndReason{a2a.Ended, a2a.Cut, a2a.Refused, a2a.Cancelled, a2a.TimedOut, "x"}
	notes := []string{log.NoteOpening, log.NoteOpened, log.NoteUnsent, log.NoteMissing, log.NoteMerge, log.NoteRenamed, log.NoteWay}
	calls := map[a2a.ExchangeID]*a2a.Call{}
	for i := 1; i <= items; i++ {
		if number(10) == 0 {
			s.Apply(log.Item{Signal: &log.Signal{Kind: log.SignalKind(number(int(log.SignalJournal) + 1)), Agent: a2a.AgentID(number(3)), Turn: a2a.TurnID(number(5)), TaskID: "task-1"}})
		}
		r := a2a.Record{ID: a2a.RecordID(s.Log.Len() + 1), Kind: kinds[number(len(kinds))], Time: sessiontest.Epoch.Add(time.Duration(i) * time.Millisecond)}
		r.Exchange = a2a.ExchangeID(number(s.Log.Len() + 2))
		body := bodies[number(len(bodies))]
		var u a2a.Update
		switch r.Kind {
		case a2a.KindRequest:
			r.Exchange, r.Raw = r.ID, body
			calls[r.ID] = &a2a.Call{
				Agent: a2a.AgentID(number(3)), Conversation: a2a.ConversationID(number(4)), Turn: a2a.TurnID(number(6)),
				Op: ops[number(len(ops))], TaskID: []string{"", "task-1", "t"}[number(3)], Dialect: a2a.V10,
			}
		case a2a.KindHead:
			r.Head = &a2a.Head{Status: 200, Header: map[string][]string{"Content-Type": {"text/event-stream"}}}
		case a2a.KindEnd:
			if number(5) > 0 {
				r.End = &a2a.End{Reason: reasons[number(len(reasons))], Class: []string{"", "refused", "status"}[number(3)]}
			}
		case a2a.KindNote:
			n := func(most int) string { return fmt.Sprint(number(most)) }
			r.Note = &a2a.Note{Type: notes[number(len(notes))], Attrs: map[string]string{
				log.AttrAgent: n(3), log.AttrRecord: n(s.Log.Len() + 2), log.AttrIndex: n(2), log.AttrTurn: n(6), log.AttrConversation: n(4), log.AttrTask: []string{"t", "task-1"}[number(2)],
				log.AttrAttempts: string(body)}}
		default:
			r.Raw = body
			if number(2) == 0 {
				r.SSE = &a2a.SSEFields{ID: fmt.Sprint(number(5))}
			}
			u = a2a.Decode(calls[r.Exchange], a2a.Input{Body: body, Stream: r.Kind == a2a.KindEvent})
		}
		r.Call = calls[r.Exchange]
		it := log.Item{Record: r, Update: u}
		s.Apply(it)
		log.Describe(&it)
	}
}
