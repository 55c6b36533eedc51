package chat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
)

// asking returns a conversation whose agent asks and suggests replies.
func asking(replies ...string) *model.Conversation {
	conv := travel()
	conv.Tasks[0].Prompt.Metadata, _ = json.Marshal(map[string]any{"suggestedReplies": replies})
	return conv
}

func TestAQuestionIsACardWithItsReplies(t *testing.T) {
	conv := asking("London", "Lisbon", "Reykjav\u00edk")
	st := dark()
	p := open(st, conv, 80, 40)
	settle(t, p)
	lines := p.Lines()
	last := lines[len(lines)-1]
	for _, line := range lines {
		if strings.Contains(line, "Lisbon") {
			last = line
		}
	}
	if plain := canvas.Plain(last); !strings.Contains(plain, "  1 London    2 Lisbon    3 Reykjavík ") || !strings.HasPrefix(last, st.Band.On) || !strings.Contains(last, st.Waiting.On) {
		t.Errorf("got %q, want the replies as chips on a band with an amber edge", last)
	}
	if got := screen(open(mono(), conv, 80, 40)); !strings.Contains(got, "? needs you  task 91c2\n| Which dates") || !strings.Contains(got, "[1 London]  [2 Lisbon]  [3 Reykjavík]") {
		t.Errorf("got a card without colours without label or brackets:\n%s", got)
	}
	if b, what := p.Choices(); what != "replies" || b.Help().Key != "alt+1-3" {
		t.Errorf("got choices %q with the keys %q, want replies, alt+1-3", what, b.Help().Key)
	}
	for _, key := range []string{"2", "alt+2"} {
		in, ok := press(p, key).(UsePrompt)
		if !ok || in.Example.Text != "Lisbon" || in.Answers != conv.Tasks[0] {
			t.Errorf("%s: got %#v, want the second reply for the task that asks", key, in)
		}
	}
	if in := press(p, "4"); in != nil {
		t.Errorf("got %#v for a digit without a reply, want nothing", in)
	}
}

// The keys of one choice are no range.
func TestTheKeysOfTheChoicesAreCounted(t *testing.T) {
	agent := travel().Agent
	skill := &agent.Card.Skills[0]
	for n, shown := range map[int]string{1: "1", 2: "1-2", 3: "1-3"} {
		all := skill.Examples
		skill.Examples = all[:n]
		p := open(dark(), nil, 80, 20)
		p.Show(agent, nil)
		if b, what := p.Choices(); what != "examples" || b.Help().Key != "alt+"+shown || p.canChoose().Shown != shown {
			t.Errorf("got the keys %q and %q for %d %s, want %q", b.Help().Key, p.canChoose().Shown, n, what, shown)
		}
		skill.Examples = all
	}
}

func TestAClickOnAReplyUsesIt(t *testing.T) {
	p := open(dark(), asking("London", "Lisbon"), 80, 40)
	settle(t, p)
	for y, line := range p.Lines() {
		x := strings.Index(canvas.Plain(line), "Lisbon")
		if x < 0 {
			continue
		}
		x = canvas.Width(canvas.Plain(line)[:x])
		if in, ok := p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, x, y).(UsePrompt); !ok || in.Example.Text != "Lisbon" {
			t.Errorf("got %#v for a click on the reply, want it", in)
		}
		if in, ok := p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 70, y).(UsePrompt); ok {
			t.Errorf("got %#v for a click beside the replies, want none", in)
		}
		return
	}
	t.Fatal("got no reply on the screen, want two")
}

func TestAnAnsweredQuestionHasNoReplies(t *testing.T) {
	conv := asking("London")
	p := open(mono(), conv, 80, 40)
	conv.Tasks[0].Answered = true
	conv.Tasks[0].Version++
	touch(conv)
	if got := screen(p); strings.Contains(got, "[1 London]") || p.HasReplies() {
		t.Errorf("got replies to an answered question:\n%s", got)
	}
	conv = asking("London")
	p = open(mono(), conv, 80, 40)
	p.SetRecording(true)
	if press(p, "1") != nil || p.HasReplies() {
		t.Error("got replies in a recording, want none: nothing can be sent")
	}
}

func TestReplyChipsFitWhateverTheyAre(t *testing.T) {
	many := make([]string, 60)
	for i := range many {
		many[i] = fmt.Sprint("reply number ", i+1)
	}
	for name, replies := range map[string][]string{
		"many": many, "long": {strings.Repeat("word ", 4000)}, "hostile": {"\x1b[2J\u202eabc", "\n\n", strings.Repeat("한국어", 40), "\u200b"},
	} {
		for _, w := range []int{12, 20, 40, 200} {
			p := open(dark(), asking(replies...), w, 60)
			settle(t, p)
			exact(t, p, w, 60)
			got := screen(p)
			if strings.ContainsAny(got, "\x1b\u202e") {
				t.Errorf("%s: got a control on the screen", name)
			}
			if name == "many" && (!strings.Contains(got, "9 reply") || !strings.Contains(got, "51 more") || strings.Contains(got, "10 reply")) {
				t.Errorf("%d columns: got other replies than the first nine and the number of the others:\n%s", w, got)
			}
		}
	}
}

func TestALongQuestionIsNotBold(t *testing.T) {
	conv := travel()
	conv.Tasks[0].Prompt.Parts = []a2a.Part{a2a.TextPart(strings.Repeat("Which dates would you like? ", 160))}
	touch(conv)
	p := open(dark(), conv, 80, 60)
	settle(t, p)
	for _, line := range p.Lines() {
		if strings.Contains(line, "Which dates") && strings.Contains(line, "\x1b[1m") {
			t.Fatalf("got a bold line of a long question: %q", line)
		}
	}
}
