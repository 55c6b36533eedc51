package chat

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/session/problem"
)

var (
	sgr  = regexp.MustCompile("\x1b\\[[0-9;:]*m")
	link = regexp.MustCompile("\x1b\\]8;[^\x1b\x07]*(\x1b\\\\|\x07)")
)

const hostile = "\x1b]0;title\x07\x1b[31;5mred\x1b[2J\u009b31m\u0085\u202Eevil\u2066\x00\x7f&#27;[31m&#155; 안녕하세요 👩‍👩‍👧‍👦 e\u0301\u0301 \uFFFD\xff\t|"

// poisoned puts hostile text into every string of a conversation.
func poisoned() *model.Conversation {
	conv := travel()
	raw := json.RawMessage(fmt.Sprintf(`{%q:%q}`, hostile, hostile))
	card := conv.Agent.Card
	card.Name, card.Description, conv.Title, conv.Agent.Problem = hostile, hostile, hostile, hostile
	card.Skills[0].Examples = []a2a.Example{{Text: hostile}, {Data: raw}}
	card.Skills[0].Name, card.Skills[0].Description = hostile, hostile
	conv.Agent.Attempts = []a2a.Lookup{{URL: hostile, Sentence: hostile}}
	message := a2a.Message{
		ID: hostile, RoleWord: hostile, TaskID: hostile, ContextID: hostile, ReferenceTaskIDs: []string{hostile}, Extensions: []string{hostile}, Metadata: raw,
		Parts: []a2a.Part{
			{Kind: a2a.PartText, Text: hostile + "\n\n# " + hostile + "\n\n```" + hostile + "\n" + hostile + "\n```\n[" + hostile + "](http://x/" + hostile + ")"},
			{Kind: a2a.PartText, Text: hostile, MediaType: "text/x-" + hostile, Metadata: raw},
			{Kind: a2a.PartData, Data: raw, Filename: hostile}, {Kind: a2a.PartURL, URL: "http://" + hostile, MediaType: hostile},
			{Kind: a2a.PartBytes, Encoded: hostile, Filename: hostile, MediaType: "image/" + hostile}, {Raw: raw},
			{Kind: a2a.PartData, Data: json.RawMessage(hostile)},
		},
	}
	conv.Turns[0].Message = &message
	task := conv.Tasks[0]
	task.ID, task.ContextID, task.Word, task.Metadata, task.Prompt = hostile, hostile, hostile, raw, &message
	task.History = []a2a.Message{message}
	task.Forgotten = true
	b := conv.Turns[0].Blocks[0]
	for i := range b.Entries {
		if e := &b.Entries[i]; e.Artifact != nil {
			e.Artifact.Name, e.Artifact.Key, e.Artifact.Description, e.Artifact.Metadata = hostile, hostile, hostile, raw
			e.Artifact.Text = []byte(hostile)
			e.Artifact.Spans = []model.Span{{Record: 5}}
			e.Artifact.Revisions = []model.Revision{{Text: []byte(hostile)}}
		}
		if e := &b.Entries[i]; e.Kind == model.EntryState {
			e.State.State, e.State.Word = a2a.StateOther, hostile
		}
		if e := &b.Entries[i]; e.Message != nil {
			e.Message = &message
		}
	}
	b.Entries = append(b.Entries,
		model.Entry{Kind: model.EntryUnknown, Raw: raw}, model.Entry{Kind: model.EntryUnknown, Raw: json.RawMessage(hostile)},
		model.Entry{Kind: model.EntryProblem, Problem: &problem.Problem{Sentence: hostile, Detail: hostile, Class: hostile,
			Err: &a2a.RPCError{Name: hostile, Message: hostile, Reason: hostile, Data: raw}}},
		model.Entry{Kind: model.EntryMessage}, model.Entry{Kind: model.EntryArtifact}, model.Entry{Kind: model.EntryProblem},
	)
	return conv
}

// harmless fails the test if a row contains anything that a terminal would execute.
func harmless(t *testing.T, what string, lines []string) {
	t.Helper()
	for _, line := range lines {
		bare := link.ReplaceAllString(sgr.ReplaceAllString(line, ""), "")
		for _, r := range bare {
			if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Fatalf("%s: got control character %U, want none: %q", what, r, line)
			}
		}
		if strings.Contains(line, "\x1b[31") || strings.Contains(line, "\x1b[2J") {
			t.Fatalf("%s: got the agent's own escape sequence, want none: %q", what, line)
		}
	}
}

func TestNothingFromTheNetworkReachesTheScreenUnsanitised(t *testing.T) {
	conv := poisoned()
	p := open(dark(), conv, 70, 400)
	p.Focus()
	for step := range 40 {
		settle(t, p)
		exact(t, p, 70, 400)
		harmless(t, fmt.Sprintf("step %d", step), p.Lines())
		harmless(t, "note", []string{p.Note(), p.Title()})
		press(p, "space", "d", "v", "H", "k")
	}
	for _, phase := range []model.Phase{model.Discovering, model.Ready, model.Failed} {
		p.agent.Phase = phase
		p.Show(conv.Agent, nil)
		exact(t, p, 70, 400)
		harmless(t, "greeting", p.Lines())
		conv.Agent.Card = nil
		p.Show(conv.Agent, conv)
		p.Show(conv.Agent, nil)
		harmless(t, "greeting without a card", p.Lines())
	}
}

func TestResizeStormsKeepEveryRowExact(t *testing.T) {
	for _, conv := range []*model.Conversation{travel(), poisoned(), {Agent: travel().Agent}} {
		p := open(dark(), conv, 80, 24)
		p.Focus()
		rnd := rand.New(rand.NewPCG(1, 2))
		for range 150 {
			w, h := rnd.IntN(130), rnd.IntN(50)
			p.SetSize(w, h)
			exact(t, p, w, h)
			for _, j := range p.Jobs() {
				p.Apply(j.Run())
			}
			exact(t, p, w, h)
			p.Cursor()
		}
	}
}

func FuzzKeysAndMouse(f *testing.F) {
	f.Add([]byte("jjjkkk   ivvHg/oN\x01\x02\x03\x04\x05"))
	f.Add([]byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09/London\rnN"))
	f.Fuzz(func(t *testing.T, input []byte) {
		conv := poisoned()
		live, art := streaming()
		live.ID = 2
		p := open(mono(), conv, 40, 12)
		w, h := 40, 12
		for i, b := range input[:min(len(input), 60)] {
			switch b % 16 {
			case 0:
				w, h = int(b)%97, i%23
				p.SetSize(w, h)
			case 1:
				p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, i, int(b)%25-1)
			case 2:
				p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelUp}, 1, 1)
			case 3:
				p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelDown}, 1, 1)
			case 4:
				chunk(live, art, a2a.RecordID(200+i), strings.Repeat(string(rune(b)), i)+"\n")
			case 5:
				p.Show(live.Agent, live)
			case 6:
				p.Show(conv.Agent, conv)
			case 7:
				p.SelectRecord(model.Anchor{Conversation: 1, Turn: 1, Block: int(b)%3 - 1, Entry: i - 1, Offset: int(b)})
			case 8:
				p.Focus()
			case 9:
				for _, j := range p.Jobs() {
					p.Apply(j.Run())
				}
			default:
				p.Key(tea.KeyPressMsg{Code: rune(b), Text: string(rune(b))})
				for _, k := range []string{"up", "down", "pgup", "pgdown", "end", "enter"} {
					if len(k) == int(b)%8 {
						p.Key(panetest.Key(k))
					}
				}
			}
			exact(t, p, w, h)
			p.ShortHelp()
			p.Due()
		}
	})
}
