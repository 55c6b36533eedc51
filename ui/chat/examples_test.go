package chat

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
)

// desk returns an agent with some skills, of which the first has JSON before a text.
func desk() *model.Agent {
	agent := travel().Agent
	agent.Card.Skills = []a2a.Skill{
		{Name: "Book a flight", Description: "Asks *where to*. " + strings.Repeat("And more. ", 30), Examples: []a2a.Example{{Text: "To Oslo"}, {Data: json.RawMessage(`{"to": "Rome"}`)}, {Text: "To Lisbon"}}},
		{Name: "Look out of the window", Description: "One line.", Examples: []a2a.Example{{Text: "Is it raining?"}, {}, {Text: " \n"}}},
		{Name: "Sleep", Description: "Takes a while."},
	}
	return agent
}

func TestTheGreetingHasTheExamplesBelowTheirSkills(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{
		{80, 30, "\n\nBook a flight\n  Asks where to. And more. And more. And more. And more. And more. And more. ~\n  [1 To Oslo]  [2 To Lisbon]  [3 { } {\"to\": \"Rome\"}]\n\nLook out of the window\n  One line.\n  [4 Is it raining?]\n\nSleep\n  Takes a while.\n\npress"},
		{80, 15, "\n\nBook a flight\n  Asks where to. And more. And more. And more. And more. And more. And more. ~\n  [1 To Oslo]  [2 To Lisbon]  [3 { } {\"to\": \"Rome\"}]\n\nLook out of the window\n  One line.\n  [4 Is it raining?]\n\npress"},
		{60, 13, "\n\nBook a flight  Asks where to. And more. And more. And ~\n  [1 To Oslo]  [2 To Lisbon]  [3 { } {\"to\": \"Rome\"}]\n\nLook out of the window  One line.\n  [4 Is it raining?]\n\npress"},
		{72, 10, "\n\nBook a flight  Asks where to. And more. And more. And more. And more. ~\n  [1 To Oslo]  [2 To Lisbon]  [3 { } {\"to\": \"Rome\"}]\nLook out of the window  One line.\n  [4 Is it raining?]\n\npress"},
		{72, 8, "\n\n[1] To Oslo  [2] To Lisbon  [3] { } {\"to\": \"Rome\"}  [4] Is it raining?\n\npress"},
	} {
		p := open(mono(), nil, c.w, c.h)
		p.Show(desk(), nil)
		if got := screen(p); !strings.Contains(got, c.want) {
			t.Errorf("%d×%d: got\n%s\nwant in it\n%s", c.w, c.h, got, c.want)
		}
	}
}

// Digits choose what stands beside them, and so do clicks.
func TestDigitsAndClicksChooseTheExamplesOfTheGreeting(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 30}, {60, 12}, {72, 8}, {24, 40}} {
		p := open(dark(), nil, size.w, size.h)
		p.Show(desk(), nil)
		p.Lines()
		for i, want := range []string{"To Oslo", "To Lisbon", `{"to": "Rome"}`, "Is it raining?"} {
			chip := p.greeting.prompts[i]
			if line := canvas.Plain(p.Lines()[chip.line]); !strings.Contains(canvas.Fit(canvas.Skip(line, chip.from), chip.to-chip.from), " "+strconv.Itoa(i+1)+" ") {
				t.Errorf("%v: got no %d in %q from %d to %d", size, i+1, line, chip.from, chip.to)
			}
			for _, got := range []Intent{press(p, "alt+"+strconv.Itoa(i+1)), click(p, strconv.Itoa(i+1)+" ")} {
				if in, ok := got.(UsePrompt); !ok || in.Example.Text+string(in.Example.Data) != want {
					t.Errorf("%v: got %v for example %d, want %s", size, got, i+1, want)
				}
			}
		}
	}
}

// An audience sees the greeting in the middle, and no JSON; the digits stay the same.
func TestAnAudienceSeesTheGreetingInTheMiddle(t *testing.T) {
	p := open(dark(), nil, 80, 41)
	p.Show(desk(), nil)
	p.SetCalm(true)
	exact(t, p, 80, 41)
	lines := p.Lines()
	some := func(line string) bool { return strings.TrimSpace(canvas.Plain(line)) != "" }
	first, last := slices.IndexFunc(lines, some), 0
	for i := range lines {
		if some(lines[i]) {
			last = i
		}
	}
	if below := len(lines) - 1 - last; first-below > 1 || below-first > 1 {
		t.Errorf("got %d rows above and %d below:\n%s", first, below, screen(p))
	}
	if got := screen(p); strings.Contains(got, "Rome") || !strings.Contains(got, "3 { } data") {
		t.Errorf("got\n%s\nwant the example without its JSON", got)
	}
	if got, ok := click(p, "4 Is").(UsePrompt); !ok || got.Example.Text != "Is it raining?" {
		t.Errorf("got %v for a click", got)
	}
	if got, ok := press(p, "alt+3").(UsePrompt); !ok || len(got.Example.Data) == 0 {
		t.Errorf("got %v for 3, want the data", got)
	}
}

func TestHostileSkillsAreDrawnInAnySize(t *testing.T) {
	agent := desk()
	hostile := "\x1b[2Jevil\x07\nline two\r\n\u202eלהפוך\u2066 \u200b\u200d" + strings.Repeat("語", 400)
	for i := range 60 {
		text := []string{hostile, "\n\n", "\u200b", "שלום עולם", strings.Repeat("long ", 900), "e\u0301👩‍👩‍👧"}[i%6]
		agent.Card.Skills = append(agent.Card.Skills, a2a.Skill{
			Name: []string{hostile, "", "שלום", "name"}[i%4], Description: strings.Repeat(hostile, i%3*20),
			Examples: []a2a.Example{{Text: text}, {Data: json.RawMessage(`["` + strings.Repeat("x", 5000) + `"]`)}},
		})
	}
	agent.Card.Skills = slices.Concat(agent.Card.Skills[3:], agent.Card.Skills[:3])
	for w := 1; w < 200; w += 27 {
		for h := 1; h < 60; h += 11 {
			for _, calm := range []bool{false, true} {
				p := open(dark(), nil, w, h)
				p.SetCalm(calm)
				p.Show(agent, nil)
				exact(t, p, w, h)
				for _, c := range p.greeting.prompts {
					if c.line >= h || c.from < 0 || c.to > max(w, 12) {
						t.Errorf("%d×%d: got a chip at %+v", w, h, c)
					}
				}
				if got := strings.Join(p.Lines(), "\n"); strings.Contains(got, "\x1b[2J") || strings.ContainsAny(got, "\x07\u202e\u2066") {
					t.Fatalf("%d×%d: got what a card must not draw", w, h)
				}
			}
		}
	}
}
