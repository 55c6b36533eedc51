// Package tape makes records as an engine does, with decoded updates, for tests of their
// readers. Time passes on a tape only as its tests say.
package tape

import (
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// A Tape is a session that is being recorded.
type Tape struct {
	State    *model.State
	Now      time.Time      // when the last record came
	Call     *a2a.Call      // of the records that follow
	Exchange a2a.ExchangeID // of the records that follow; a request or a delivery begins one
}

// New returns an empty tape on which a stream of dialect 1.0 will be recorded.
func New() *Tape {
	return &Tape{
		State: model.NewState(),
		Now:   time.Date(2026, 11, 20, 14, 2, 3, 0, time.UTC),
		Call:  &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10},
	}
}

// Next numbers a record that comes after ms milliseconds and decodes it. The item is
// not on the tape yet.
func (t *Tape) Next(ms int, r a2a.Record) log.Item {
	t.Now = t.Now.Add(time.Duration(ms) * time.Millisecond)
	r.ID, r.Time, r.Call = a2a.RecordID(t.State.Log.Len()+1), t.Now, t.Call
	if r.Kind == a2a.KindRequest || r.Kind == a2a.KindDelivery {
		t.Exchange = r.ID
	}
	r.Exchange = t.Exchange
	it := log.Item{Record: r}
	if r.Kind == a2a.KindDelivery {
		it.Update = a2a.DecodeDelivery(&it.Record)
	}
	if r.Kind == a2a.KindEvent || r.Kind == a2a.KindBody {
		it.Update = a2a.Decode(t.Call, a2a.Input{Body: r.Payload(), Status: 200, Stream: r.Kind == a2a.KindEvent})
	}
	return it
}

// Put adds a record after ms milliseconds, with findings beside those of the decoder.
func (t *Tape) Put(ms int, r a2a.Record, findings ...a2a.Finding) a2a.RecordID {
	it := t.Next(ms, r)
	it.Update.Findings = append(it.Update.Findings[:len(it.Update.Findings):len(it.Update.Findings)], findings...)
	t.State.Apply(it)
	return it.Record.ID
}

// Event adds an event of a stream.
func (t *Tape) Event(ms int, data string, findings ...a2a.Finding) a2a.RecordID {
	return t.Put(ms, a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)}, findings...)
}

// End adds the end of an exchange.
func (t *Tape) End(ms int, reason a2a.EndReason) a2a.RecordID {
	return t.Put(ms, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: reason}})
}
