package sessiontest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"parley/a2a"
	"parley/a2a/sse"
	"parley/session/log"
)

// A framer makes the records of streams as a client does.
type framer struct {
	rng   *rand.Rand
	last  a2a.RecordID
	now   time.Time
	Calls map[a2a.ExchangeID]*a2a.Call
}

// NewFramer returns a framer whose records follow from the seed.
func NewFramer(seed uint64) *framer {
	return &framer{rng: rand.New(rand.NewPCG(seed, 3)), now: time.Now(), Calls: map[a2a.ExchangeID]*a2a.Call{}}
}

// record numbers a record of an exchange.
func (m *framer) record(x a2a.ExchangeID, r a2a.Record) a2a.Record {
	m.last++
	m.now = m.now.Add(time.Duration(m.rng.IntN(5e6)))
	r.ID, r.Exchange, r.Call, r.Dir, r.Time = m.last, x, m.Calls[x], a2a.In, m.now
	return r
}

// Open begins an exchange with a request and a head.
func (m *framer) Open() (x a2a.ExchangeID, items []log.Item) {
	x = m.last + 1
	m.Calls[x] = &a2a.Call{Agent: 1, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
	request := m.record(x, a2a.Record{Kind: a2a.KindRequest, Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"q-%d","method":"SendStreamingMessage"}`, x)})
	head := m.record(x, a2a.Record{Kind: a2a.KindHead, Head: &a2a.Head{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}}})
	return x, []log.Item{{Record: request}, {Record: head}}
}

// Frame makes an event of what follows each other on the wire.
func (m *framer) Frame(x a2a.ExchangeID, wire string) log.Item {
	f, _ := sse.NewDecoder(bytes.NewReader([]byte(wire))).Next()
	if f.Data == nil {
		f.Data = []byte{}
	}
	r := m.record(x, a2a.Record{Kind: a2a.KindEvent, Raw: bytes.Clone(f.Raw), Data: bytes.Clone(f.Data), Torn: f.Torn})
	if f.ID != "" || f.Event != "" || f.Retry != "" {
		r.SSE = &a2a.SSEFields{ID: f.ID, Event: f.Event, Retry: f.Retry}
	}
	if m.rng.IntN(500) == 0 {
		r.SSE = &a2a.SSEFields{ID: f.ID, Event: f.Event, Retry: f.Retry, LateLF: true}
	}
	in := a2a.Input{Body: r.Data, Status: 200, ContentType: "text/event-stream", RPCID: fmt.Sprintf(`"q-%d"`, x), Stream: true, Torn: f.Torn, Unprefixed: f.Unprefixed, Event: f.Event}
	return log.Item{Record: r, Update: a2a.Decode(r.Call, in)}
}

// event makes an event as agents send it, or nearly.
func (m *framer) event(x a2a.ExchangeID) log.Item {
	text, _ := json.Marshal([]string{"some words ", "", "\n\n# Titel\n", `a "quoted" word`, "Grüße 日本 🙂", "<tag>"}[m.rng.IntN(6)] + fmt.Sprint(m.rng.IntN(1000)))
	part, result := `{"text":`+string(text)+`}`, ""
	switch m.rng.IntN(40) {
	case 0:
		part = `{"data":{"n":1}}`
	case 1:
		part += `,{"text":"more","mediaType":"text/plain"}`
	case 2:
		result = `{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`
	case 3:
		part = `{"kind":"text","text":1}`
	}
	if result == "" {
		result = fmt.Sprintf(`{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a%d","parts":[%s]},"append":%v,"metadata":{"seq":%d}}}`,
			m.rng.IntN(3), part, m.rng.IntN(50) > 0, m.last)
	}
	id := fmt.Sprintf(`"q-%d"`, x)
	if m.rng.IntN(30) == 0 {
		id = `"other"` // the decoder remarks on it
	}
	data := `{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`
	switch m.rng.IntN(20) {
	case 0:
		return m.Frame(x, ": beat\r\ndata: "+data+"\r\n\r\n")
	case 1:
		return m.Frame(x, ": beat\n\n: beat\nevent: chunk\ndata:"+data+"\n\n")
	case 2:
		return m.Frame(x, "data: "+data[:20]+"\ndata: "+data[20:]+"\n\n")
	case 3:
		return m.Frame(x, "data: "+data+"\n")
	case 4, 5, 6, 7, 8:
		return m.Frame(x, fmt.Sprintf("id: %d\nretry: 30\ndata: %s\n\n", m.last, data))
	default:
		return m.Frame(x, "data: "+data+"\n\n")
	}
}

// Items makes items of a few streams that run at the same time.
func (m *framer) Items(n int) (items []log.Item) {
	var open []a2a.ExchangeID
	for range 3 {
		x, begin := m.Open()
		open, items = append(open, x), append(items, begin...)
	}
	for len(items) < n {
		it := m.event(open[m.rng.IntN(len(open))])
		it.Findings = it.Update.Findings
		switch m.rng.IntN(60) {
		case 0:
			it.Findings = append(it.Findings[:len(it.Findings):len(it.Findings)], a2a.Finding{Rule: "TEST-001", Offset: m.rng.IntN(9)})
		case 1:
			it.Record.Redactions = []a2a.Redaction{{Name: "secret", Original: "x"}}
		case 2:
			it.Record.Time = time.Date(9999, 1, 1, 0, 0, 0, m.rng.IntN(1e9), time.UTC)
		case 3:
			it.Record.Time = it.Record.Time.In(time.FixedZone("far", 3600))
		case 4:
			it.Artifact = "named"
		case 5:
			it.Update.Events = nil // not what the decoder says
		}
		items = append(items, it)
	}
	return items
}

// Words makes chunk i of an artifact, as most are: 35 bytes of text in a frame of 330.
func (m *framer) Words(x a2a.ExchangeID, i int) log.Item {
	const data = `{"jsonrpc":"2.0","id":"q-%d","result":{"artifactUpdate":{"taskId":"91c2e0d4-77f1-4c55-9a2f-0f6f3a1b2c3d","contextId":"7f3a11b9-02c8-4b0e-8d55-1a2b3c4d5e6f","artifact":{"artifactId":"itinerary","parts":[{"text":"London, %05d to 17 October, a bag. "}]},"append":true}}}`
	return m.Frame(x, fmt.Sprintf("id: %d\ndata: "+data+"\n\n", i, x, i))
}
