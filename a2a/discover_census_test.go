package a2a

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// A crowd is a mesh whose agents are these sightings.
type crowd []Sighting

func (c crowd) Connect(LineOptions) Line { return c }
func (crowd) Format() Format             { return nil }
func (crowd) Close()                     {}
func (crowd) Open(context.Context, Carriage) (Flow, error) {
	return nil, &FlowError{Sentence: "Nothing may be sent.", Class: ClassUnsupported}
}

func (c crowd) Watch(_ context.Context, _ MeshAddress, report func(Sighting)) error {
	for _, s := range c {
		report(s)
	}
	return nil
}

// sightings are those of cards of agents with names.
func sightings(names ...string) (c crowd) {
	for _, name := range names {
		card := fmt.Sprintf(`{"name":%q,"url":"solace:n/a2a/v1/agent/request/%s","version":"1","protocolVersion":"0.3.0","capabilities":{},"skills":[]}`, name, name)
		c = append(c, Sighting{Kind: SawCard, Agent: name, Frame: Frame{Path: "n/a2a/v1/discovery/agentcards", Bytes: []byte(card)}})
	}
	return c
}

// searched discovers an address among a crowd.
func searched(t *testing.T, ref string, c crowd, change func(*Options)) (Discovery, []Record) {
	t.Helper()
	var records []Record
	put := func(r Record, _ Update) RecordID {
		records = append(records, r)
		return RecordID(len(records))
	}
	o := Options{Carriers: map[Binding]Carrier{BindingMQTT: c}, Trace: Trace{Put: put, Now: time.Now}, NewID: func() string { return "id" }}
	if change != nil {
		change(&o)
	}
	return Discover(t.Context(), ref, &Call{Agent: 1}, o, Hooks{}), records
}

func TestAMeshIsRefusedWithTheNamesOfItsAgents(t *testing.T) {
	t.Parallel()
	many := make([]string, 10_000)
	for i := range many {
		many[i] = fmt.Sprintf("agent-%05d", i)
	}
	for name, c := range map[string]struct {
		crowd crowd
		want  string
	}{
		"one":           {sightings("Billing"), "one agent announced itself: “Billing”. Others may announce themselves later."},
		"two, sorted":   {sightings("Billing", "Archive"), "2 agents announced themselves: “Archive”, “Billing”."},
		"equal names":   {sightings("Twin", "Twin", "twin"), "2 agents announced themselves: “Twin”, “twin”."},
		"one that left": {append(sightings("Billing", "Archive"), Sighting{Kind: SawGone, Agent: "Billing"}), "one agent announced itself: “Archive”."},
		"one that left and came back": {append(sightings("Billing"), Sighting{Kind: SawGone, Agent: "Billing"}, Sighting{Kind: SawAgain, Agent: "Billing"}),
			"one agent announced itself: “Billing”."},
		"a card that nobody can read": {append(sightings("Billing"), Sighting{Kind: SawBad, Sentence: "no"}), "one agent announced itself: “Billing”."},
		"an escape sequence":          {sightings("\x1b]0;title\a\x1b[31mred"), "one agent announced itself: “"},
		"10,000":                      {sightings(many...), "“agent-00019” and 9980 others."},
		"a long name":                 {sightings(strings.Repeat("x", 5000)), "…”."},
	} {
		d, records := searched(t, "mqtt://h/n", c.crowd, nil)
		if d.Card != nil || d.Class != ClassMesh || d.Profile.Endpoint != "" || !strings.Contains(d.Sentence, c.want) || !strings.HasPrefix(d.Sentence, "mqtt://h:1883/n names no agent of the mesh") {
			t.Errorf("%s: got card %v, class %q, sentence %q; want a refusal with “%s”", name, d.Card, d.Class, d.Sentence, c.want)
		}
		if strings.ContainsAny(d.Sentence, "\x1b\a") || len(d.Sentence) > 4000 {
			t.Errorf("%s: got sentence %q, want one that is short and safe", name, d.Sentence)
		}
		if last := records[len(records)-1]; last.End == nil || last.End.Class != ClassMesh {
			t.Errorf("%s: got records %+v, want the refusal at their end", name, records)
		}
	}
}

// Every way to name an agent opens that one alone, whichever announces itself first.
func TestAnAgentOfAMeshIsNamed(t *testing.T) {
	t.Parallel()
	c := sightings("Archive", "Billing", "Payroll")
	pinned := func(endpoint string) func(*Options) { return func(o *Options) { o.Pins.Endpoint = endpoint } }
	for name, s := range map[string]struct {
		ref    string
		change func(*Options)
		want   string
	}{
		"a fragment":       {"mqtt://h/n#Billing", nil, "Billing"},
		"a topic":          {"mqtt://h/n/a2a/v1/agent/request/Payroll", nil, "Payroll"},
		"a pin":            {"mqtt://h/n", pinned("mqtt://h:1883/n#Billing"), "Billing"},
		"a pin of another": {"mqtt://h/n", pinned("mqtt://h/other#Billing"), ""},
		"a pin over HTTP":  {"mqtt://h/n", pinned("http://h/n"), ""},
		"a pin of a mesh":  {"mqtt://h/n", pinned("mqtt://h/n"), ""},
		"all of them":      {"mqtt://h/n", func(o *Options) { o.WholeMesh = true }, "Archive"},
	} {
		d, _ := searched(t, s.ref, c, s.change)
		if got := ""; d.Card != nil {
			if got = d.Card.Name; got != s.want {
				t.Errorf("%s: got agent %q, want %q", name, got, s.want)
			}
		} else if s.want != "" || d.Class != ClassMesh {
			t.Errorf("%s: got no agent and class %q, want agent %q", name, d.Class, s.want)
		}
	}
}

func TestAMeshHasNoCatalog(t *testing.T) {
	t.Parallel()
	o := Options{Carriers: map[Binding]Carrier{BindingMQTT: sightings("Billing")}, Trace: Trace{Put: func(Record, Update) RecordID { return 1 }, Now: time.Now}}
	o.WholeMesh, o.Pins.Endpoint = true, "mqtt://h/n#Billing"
	if c := ReadCatalog(t.Context(), " mqtt://h/n ", nil, o, Hooks{}); c.Class != ClassMesh || !strings.Contains(c.Sentence, "“Billing”") || c.Ref != "mqtt://h/n" {
		t.Errorf("got catalog %+v, want the agents of the mesh in its sentence", c)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if c := ReadCatalog(ctx, "mqtt://h/n", nil, o, Hooks{}); c.Sentence == "" || c.Class != ClassGivenUp {
		t.Errorf("got catalog %+v after the user stopped it, want a sentence", c)
	}
}

func TestTheReferenceOfAnAgentOfAMeshLeadsBackToIt(t *testing.T) {
	t.Parallel()
	for _, m := range []MeshAddress{
		{"mqtt://h:1883", "acme/dev", ""}, {"mqtt://h:1883", "acme/dev", "Billing desk"}, {"mqtt://h:1883", "n", "Büro 50%"}, {"mqtt://h:1883", "n", "a?b&c=d'e\"f"},
		{"wss://h:443/?path=%2Fx", "n", "A"}, {"ws://h:80", "a2a/v1", "A"}, {"ws://h:80", "x/a2a/v1/y", "A"},
	} {
		if again, problem := ParseMesh(m.Reference()); problem != "" || again != m {
			t.Errorf("%+v: got %+v, %q from %s, want the same address", m, again, problem, m.Reference())
		}
	}
}
