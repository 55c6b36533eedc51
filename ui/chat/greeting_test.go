package chat

import (
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/golden"
	"parley/session/model"
	"parley/ui/canvas"
)

func TestAnEmptyConversationSaysWhoTheAgentIsAndWhatToPress(t *testing.T) {
	agent := travel().Agent
	p := open(mono(), nil, 72, 12)
	if got := screen(p); !strings.Contains(got, "No agent is open") {
		t.Errorf("got a greeting that does not say that no agent is open, want it:\n%s", got)
	}
	if got := press(p, "alt+1"); got != nil {
		t.Errorf("alt+1 without offers: got %v, want nil", got)
	}
	p.OfferDemo()
	if _, ok := press(p, "alt+1").(OpenDemo); !ok {
		t.Error("alt+1 with the demo offered: want Demo")
	}
	p.Show(agent, nil)
	exact(t, p, 72, 12)
	golden.Compare(t, "greeting", styled(p))
	if got, ok := press(p, "alt+2").(UsePrompt); !ok || got.Example.Text != "What is the weather in Oslo?" {
		t.Errorf("alt+2: got %v, want the second example", got)
	}
	p.Focus()
	if got, ok := press(p, "3").(UsePrompt); !ok || string(got.Example.Data) != `{"from":"OSL"}` {
		t.Errorf("3: got %v, want the third example", got)
	}
	if got := press(p, "9"); got != nil {
		t.Errorf("9 without a ninth example: got %v, want nil", got)
	}
	for text, want := range map[string]string{"London": "Book me a flight to London", "Oslo": "What is the weather in Oslo?"} {
		if got, ok := click(p, text).(UsePrompt); !ok || got.Example.Text != want {
			t.Errorf("click on %s: got %v, want the example:\n%s", text, got, screen(p))
		}
	}
	if got := click(p, "Booking"); got != nil {
		t.Errorf("click on the name of a skill: got %v, want nothing", got)
	}
	agent.Phase, agent.Problem = model.Unreachable, "Travel Desk does not answer."
	if got := screen(p); !strings.Contains(got, "x Travel Desk does not answer.") {
		t.Errorf("got no problem in the greeting of an unreachable agent, want it:\n%s", got)
	}
}

// click clicks where a text begins on the screen.
func click(p *Pane, text string) Intent {
	for y, line := range p.Lines() {
		if before, _, found := strings.Cut(canvas.Plain(line), text); found {
			return p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, canvas.Width(before), y)
		}
	}
	return nil
}

func TestTheGreetingTellsInAFewRowsWhoTheAgentIs(t *testing.T) {
	conv := travel()
	words := "An agent that books **since 0.1.0** flights, hotels and unforgettable experiences. "
	for _, tt := range []struct {
		name, description string
		rows              map[int]string // by width
	}{
		{"short", "Books `flights`.", map[int]string{40: "Books `flights`."}},
		{"paragraphs", "# Desk\n\nBooks flights.\n\n- to London\n- to Oslo\n- to Rome\n", map[int]string{
			40: "# Desk|Books flights.|* to London ~", 100: "# Desk|Books flights.|* to London ~",
		}},
		{"long", strings.Repeat(words, 9), map[int]string{
			40: "An agent that books since 0.1.0 flights,|hotels and unforgettable experiences. An|agent that books since 0.1.0 flights, ~",
			64: "An agent that books since 0.1.0 flights, hotels and|unforgettable experiences. An agent that books since 0.1.0|flights, hotels and unforgettable experiences. An agent that ~",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conv.Agent.Card.Description = tt.description
			for w, want := range tt.rows {
				p := open(mono(), nil, w, 12)
				p.Show(conv.Agent, nil)
				lines := strings.Split(screen(p), "\n")
				n := strings.Count(want, "|") + 1
				if got := strings.Join(lines[2:2+n], "|"); got != want || lines[2+n] != "" || !strings.HasPrefix(lines[3+n], "Book") && !strings.HasPrefix(lines[3+n], "[1] Book") {
					t.Errorf("%d columns: got description %q, want %q\n%s", w, got, want, screen(p))
				}
			}
		})
	}
}

func TestTheGreetingNeverCutsWhatToPress(t *testing.T) {
	conv := travel()
	conv.Agent.Card.Description = strings.Repeat("An agent that books flights. ", 20)
	example := func(i int) a2a.Example { return a2a.Example{Text: "prompt " + strconv.Itoa(i+1)} }
	for _, offers := range []struct{ prompts, skills int }{{0, 1}, {1, 1}, {4, 1}, {9, 1}, {14, 1}, {0, 12}, {0, 0}} {
		conv.Agent.Card.Skills = nil
		for i := range offers.skills {
			conv.Agent.Card.Skills = append(conv.Agent.Card.Skills, a2a.Skill{Name: "skill " + strconv.Itoa(i+1)})
		}
		for i := range offers.prompts {
			conv.Agent.Card.Skills[0].Examples = append(conv.Agent.Card.Skills[0].Examples, example(i))
		}
		all := offers.prompts
		if all == 0 {
			all = offers.skills
		}
		for _, w := range []int{24, 38, 58, 78} {
			for h := 5; h < 24; h++ {
				p := open(mono(), nil, w, h)
				p.Show(conv.Agent, nil)
				exact(t, p, w, h)
				text := strings.Join(strings.Fields(screen(p)), " ")
				shown := strings.Count(text, "skill ")
				if offers.prompts > 0 {
					shown = strings.Count(text, "prompt ")
				}
				end := "write a message below"
				if len(p.greeting.prompts) > 0 {
					end = "write your own message below"
				}
				if !strings.HasSuffix(text, end) || all > 0 && h > 9 && shown == 0 {
					t.Errorf("%d×%d, %+v: got a greeting without the hint or without all offers, want both:\n%s", w, h, offers, screen(p))
				}
				what := "skill"
				if len(p.greeting.prompts) > 0 {
					what = "example"
				}
				if all-shown > 1 {
					what += "s"
				}
				more := strconv.Itoa(all-shown) + " more " + what + " in the card (f2)"
				if len(more) > w {
					more = strconv.Itoa(all-shown) + " more in the card (f2)"
				}
				if h > 9 && strings.Contains(text, more) == (all == shown) {
					t.Errorf("%d×%d, %+v, %d visible: got a wrong number of hidden offers, want the rest:\n%s", w, h, offers, shown, screen(p))
				}
			}
		}
	}
}

// The count of the examples that are not shown stands with their texts, not among their numbers.
func TestTheCountOfMoreExamplesIsNoNumberOfOne(t *testing.T) {
	conv := travel()
	conv.Agent.Card.Skills = []a2a.Skill{{Name: "booking"}}
	for i := range 13 {
		conv.Agent.Card.Skills[0].Examples = append(conv.Agent.Card.Skills[0].Examples, a2a.Example{Text: "prompt " + strconv.Itoa(i+1)})
	}
	for h, want := range map[int]string{30: "  [9 prompt 9]\n\n     4 more examples in the card (f2)\n", 10: "[4] prompt 4\n    9 more examples in the card (f2)\n"} {
		p := open(mono(), nil, 60, h)
		p.Show(conv.Agent, nil)
		if got := screen(p); !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant the count below the texts", got)
		}
	}
}

// Cautions come first in a pane of any height.
func TestTheGreetingCautionsBeforeTheFirstMessage(t *testing.T) {
	agent := travel().Agent
	for _, h := range []int{8, 12, 30} {
		p := open(mono(), nil, 72, h)
		p.Show(agent, nil)
		if strings.Contains(screen(p), "another origin") {
			t.Fatal("got a caution in the greeting before there is one, want none")
		}
		agent.Profile.Cautions = []string{"messages go to another origin, http://other.example"}
		if got := screen(p); !strings.Contains(got, "! Messages go to another origin, http://other.example.") {
			t.Errorf("%d rows: got no caution in the greeting, want it:\n%s", h, got)
		}
		agent.Profile.Cautions = nil
	}
}

// If an agent requires credentials, the key for them is named before the first message, and
// where its card is refused.
func TestTheGreetingNamesTheKeyForCredentials(t *testing.T) {
	agent := travel().Agent
	p := open(mono(), nil, 100, 30)
	card := *agent.Card
	agent.Card = &card
	for name, tt := range map[string]struct {
		security []a2a.SecurityRequirement
		named    bool
	}{
		"none": {nil, false}, "required": {[]a2a.SecurityRequirement{{{Scheme: "b"}}}, true},
		"or nothing": {[]a2a.SecurityRequirement{{{Scheme: "b"}}, {}}, false},
	} {
		c := card
		c.Security = tt.security
		agent.Card = &c
		p.Show(agent, nil)
		if got := screen(p); strings.Contains(got, "f5 signs") != tt.named {
			t.Errorf("%s: got a greeting\n%s\nwant the key for credentials in it: %t", name, got, tt.named)
		}
	}
	p.SetSize(30, 30) // that does not fit on one line
	c := card
	c.Security = []a2a.SecurityRequirement{{{Scheme: "b"}}}
	agent.Card = &c
	p.Show(agent, nil)
	if got := strings.Join(strings.Fields(screen(p)), " "); !strings.Contains(got, "requires credentials: f5 signs in") {
		t.Errorf("got no key for credentials in the narrow greeting, want f5:\n%s", screen(p))
	}
	p.SetSize(100, 30)
	stranger := &model.Agent{ID: 9, Ref: "h:1", Phase: model.Unreachable, Problem: "h:1 asks for credentials.",
		Attempts: []a2a.Lookup{{URL: "http://h:1/x", Sentence: "h:1 asks for credentials.", Class: a2a.ClassNoCredentials}}}
	p.Show(stranger, nil)
	if got := screen(p); !strings.Contains(got, "f5 signs in") {
		t.Errorf("got no key for credentials in the greeting of a refused card, want it:\n%s", got)
	}
}

func TestTheGreetingOfARecordingInvitesNobodyToWrite(t *testing.T) {
	conv := travel()
	p := open(mono(), nil, 60, 20)
	p.SetRecording(true)
	p.Show(conv.Agent, nil)
	if got := screen(p); strings.Contains(got, "below") || !strings.Contains(got, "this is a recording") {
		t.Errorf("got\n%s\nwant that nothing can be sent", got)
	}
}

// A version that Parley does not speak is that of the card, not the nearest one; a pin decides otherwise.
func TestTheGreetingNamesTheVersionThatParleyDoesNotSpeak(t *testing.T) {
	agent := travel().Agent
	agent.Phase, agent.Problem = model.Failed, "“Desk” says A2A 9.9."
	p := open(mono(), nil, 90, 14)
	for _, c := range []struct{ claim, problem, pin, want string }{
		{"9.9", "says A2A 9.9", "", "9.9, which Parley does not speak"},
		{"latest", "says A2A latest", "", "latest, which Parley does not speak"},
		{"0.3", "no usable URL", "", "1.0 "},
		{"9.9", "no endpoint", "v1.0", "1.0 "},
		{"9.9", "", "", "1.0 "},
	} {
		agent.Profile = a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, Claim: c.claim, Problem: c.problem}
		if c.pin != "" {
			agent.Profile.Evidence = []a2a.Evidence{{Field: "dialect", Value: c.pin, Confidence: a2a.Pinned}}
		}
		p.Show(nil, nil)
		p.Show(agent, nil)
		if got := screen(p); !strings.Contains(got, c.want) || strings.Contains(got, "does not speak") != strings.Contains(c.want, "does not speak") {
			t.Errorf("%+v: got\n%s", c, got)
		}
	}
}

// Where an earlier card stands in for one that cannot be read, the greeting says which, and what it names.
func TestTheGreetingNamesTheOldCard(t *testing.T) {
	for _, c := range []struct {
		attempt a2a.Lookup
		want    string
	}{
		{a2a.Lookup{Status: 502, Sentence: "failed."}, "cannot deliver its card now (502): Parley uses the card of 4 Mar 2026, which names http://h/rpc"},
		{a2a.Lookup{Status: 404, Sentence: "nothing."}, "delivers no card now: Parley uses the card of 4 Mar 2026, which names http://h/rpc"},
	} {
		agent := &model.Agent{ID: 1, Ref: "http://h", Phase: model.Ready, Attempts: []a2a.Lookup{c.attempt}}
		agent.Profile = a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, Endpoint: "http://h/rpc", Evidence: []a2a.Evidence{{Field: model.FieldCard, Value: "of 4 Mar 2026"}}}
		p := open(mono(), nil, 140, 14)
		p.Show(agent, nil)
		if got := screen(p); !strings.Contains(got, c.want) || strings.Contains(got, "unknown") {
			t.Errorf("got no %q in\n%s", c.want, got)
		}
	}
}

// What came of several addresses alike is said once: a wrong address does not fill the conversation with equal
// sentences.
func TestWhatAddressesHaveInCommonIsSaidOnce(t *testing.T) {
	agent := &model.Agent{ID: 1, Ref: "http://h", Phase: model.Failed, Problem: "There is no agent card."}
	for _, path := range []string{"/a", "/b", "/c"} {
		agent.Attempts = append(agent.Attempts, a2a.Lookup{URL: "http://h" + path, Status: 404, Sentence: "Nothing exists at http://h" + path + " (404)."})
	}
	agent.Attempts = append(agent.Attempts, a2a.Lookup{URL: "http://h/d", Status: 500, Sentence: "Nothing exists at http://h/d (404)."}, a2a.Lookup{URL: "http://h/e"})
	p := open(mono(), nil, 60, 30)
	p.Show(agent, nil)
	got := screen(p)
	if strings.Count(got, "Nothing exists at") != 2 || !strings.Contains(got, "x3 Nothing exists at http://h/a (404).") {
		t.Errorf("got\n%s\nwant the sentence of three addresses once, and that of the other one", got)
	}
	for _, address := range []string{"http://h/a\n", "http://h/b\n", "http://h/c\n", "http://h/d\n"} {
		if !strings.Contains(got, address) {
			t.Errorf("got\n%s\nwant every address, and so %s", got, address)
		}
	}
}
