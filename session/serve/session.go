package serve

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/request"
)

// maxKept is how many bytes of a recording are kept in memory.
const maxKept = 1 << 30

// A Session is a session file whose agents can be served.
type Session struct {
	Path   string
	Agents []*Agent
	// Warnings are sentences about what cannot be served, or could not be read.
	Warnings []string
}

// Load reads a session file. formats render messages that are not JSON, by their binding. The
// error is a sentence without its end.
func Load(path string, formats map[a2a.Binding]a2a.Format) (*Session, error) {
	recording, err := journal.Open(path)
	if err != nil {
		if why, ok := errors.AsType[*os.PathError](err); ok {
			err = why.Err
		}
		return nil, err
	}
	l := loader{formats: formats, open: map[a2a.ExchangeID]*exchange{}, agents: map[a2a.AgentID]*Agent{}}
	err = recording.Records(l.put)
	s := &Session{Path: path}
	if damage, ok := errors.AsType[*journal.DamageError](err); ok {
		for _, d := range damage.Damages {
			s.Warnings = append(s.Warnings, d.Sentence)
		}
		err = nil
	}
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(l.agents)) {
		a := l.agents[id]
		if why := a.finish(); why != "" {
			s.Warnings = append(s.Warnings, why)
			continue
		}
		s.Agents = append(s.Agents, a)
	}
	if len(s.Agents) == 0 {
		why := "it contains no answer of an agent"
		if len(s.Warnings) > 0 {
			why = strings.TrimSuffix(s.Warnings[0], ".")
		}
		return nil, errors.New(why)
	}
	return s, nil
}

// A loader gathers the records of a session file.
type loader struct {
	formats map[a2a.Binding]a2a.Format
	open    map[a2a.ExchangeID]*exchange
	agents  map[a2a.AgentID]*Agent
	kept    int64
}

// put takes the next record.
func (l *loader) put(r a2a.Record) error {
	switch r.Kind {
	case a2a.KindNote:
		l.note(r.Note)
		return nil
	case a2a.KindDelivery:
		return nil
	case a2a.KindRequest:
		return l.request(r)
	}
	x := l.open[r.Exchange]
	if x == nil {
		return nil
	}
	if l.kept += int64(len(r.Raw)); l.kept > maxKept {
		return fmt.Errorf("its answers have more than %s, the most that can be served; serve a smaller one", units.Bytes(maxKept))
	}
	switch r.Kind {
	case a2a.KindHead:
		if x.head == nil {
			x.head = &r
		}
	case a2a.KindBody, a2a.KindEvent:
		x.parts = append(x.parts, r)
	case a2a.KindEnd:
		x.end = &r
		delete(l.open, r.Exchange)
	}
	return nil
}

// request begins an exchange.
func (l *loader) request(r a2a.Record) error {
	l.kept += int64(len(r.Raw))
	x := &exchange{id: r.ID, call: r.Call, sent: r.Time, format: l.formats[r.Call.Binding]}
	head := r.Head
	if head == nil {
		head = &a2a.Head{}
	}
	target, err := url.Parse(head.URL)
	if err != nil {
		target = &url.URL{}
	}
	x.target = target
	switch {
	case r.Call.Binding == a2a.BindingGRPC && r.Binary != nil:
		x.facts = facts{Facts: request.ReadGRPC(target.Path, x.rendering(&r))}
	case r.Call.Binding == a2a.BindingMQTT:
		x.facts = readHTTP(http.MethodPost, &url.URL{Path: "/"}, r.Raw)
	default:
		x.facts = readHTTP(cmp.Or(head.Method, "GET"), target, r.Raw)
	}
	l.open[r.ID] = x
	a := l.agent(r.Call.Agent)
	a.exchanges = append(a.exchanges, x)
	return nil
}

// agent returns an agent by its number.
func (l *loader) agent(id a2a.AgentID) *Agent {
	a := l.agents[id]
	if a == nil {
		a = &Agent{}
		l.agents[id] = a
	}
	return a
}

// note reads what an agent is called, and which record has its card.
func (l *loader) note(n *a2a.Note) {
	if n == nil {
		return
	}
	id := log.IDIn[a2a.AgentID](n.Attrs, log.AttrAgent)
	switch n.Type {
	case log.NoteOpening, log.NoteOpened:
		a := l.agent(id)
		a.ref = cmp.Or(a.ref, n.Attrs[log.AttrRef])
		a.name = cmp.Or(n.Attrs[log.AttrName], a.name)
		if record := log.IDIn[a2a.RecordID](n.Attrs, log.AttrRecord); record != 0 {
			a.cardRecord, a.cardIndex = record, n.Attrs[log.AttrIndex]
		}
	case log.NoteNamed:
		l.agent(id).name = n.Attrs[log.AttrName]
	}
}
