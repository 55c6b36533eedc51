package model_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
	"parley/ui/canvas"
)

// opened puts the notes of agents that are opened one after the other under names of the user; a name that begins
// with "http" is an address instead.
func opened(p *sessiontest.Tape, names ...string) {
	for _, name := range names {
		id := log.IDText(a2a.AgentID(len(p.State.Agents) + 1))
		attrs := map[string]string{log.AttrAgent: id, log.AttrRef: name, log.AttrName: name}
		if strings.HasPrefix(name, "http") {
			delete(attrs, log.AttrName)
		}
		p.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpening, Attrs: attrs}})
		p.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpened, Attrs: attrs}})
	}
}

func tagsOf(s *model.State) (all []string) {
	for _, a := range s.Agents {
		all = append(all, a.Tag)
	}
	return all
}

func TestTagsTellAgentsApart(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"go-v1", "go-v03", "go-v033"}, []string{"v1", "v03", "v033"}},
		{[]string{"go-v1", "js-v1", "js-v03", "js-v033"}, []string{"v1", "jv1", "v03", "v033"}},
		{[]string{"Travel Desk", "Scribe", "Saboteur", "Old Clerk"}, []string{"TD", "Scri", "Sabo", "OC"}},
		{[]string{"Echo", "Echo", "echo"}, []string{"Echo", "Ech2", "ech3"}},
		{[]string{"Echo", "Echo Two", "Echo Two Three"}, []string{"Echo", "ET", "ETT"}},
		{[]string{"Echo Two", "Echo"}, []string{"ET", "Echo"}},
		{[]string{"translator-prod-eu-1", "translator-prod-eu-2", "translator-prod-eu-12"}, []string{"tpe1", "tpe2", "tp12"}},
		{[]string{"translatoralpha", "translatorbeta"}, []string{"tran", "beta"}},
		{[]string{"translator prod", "translator preview"}, []string{"tp", "prev"}},
		{[]string{"agent01", "agent02"}, []string{"a01", "a02"}},
		{[]string{"東京 旅行", "東京 旅館", "旅行代理店"}, []string{"東旅", "旅館", "旅行"}},
		{[]string{"משרד נסיעות", "משרד"}, []string{"מנ", "משרד"}},
		{[]string{"🦊", "🦊🦊", "\u202e\x1b[2J", "\u3164\u200b"}, []string{"a1", "a2", "2J", "a4"}},
		{[]string{"http://127.0.0.1:38123", "http://127.0.0.1:39123"}, []string{"8123", "9123"}},
		{[]string{"http://127.0.0.1:9131", "http://user:secret@127.0.0.1:9132/a", "https://travel.example.com"}, []string{"9131", "9132", "tec"}},
	} {
		p := sessiontest.NewTape()
		opened(p, c.names...)
		if got := tagsOf(p.State); !slices.Equal(got, c.want) {
			t.Errorf("%q: got tags %q, want %q", c.names, got, c.want)
		}
	}
}

// A tag is at most four cells of letters that can be seen, and no two agents have the same one.
func TestTagsOfManyAndOfHostileNames(t *testing.T) {
	names := map[string]func(i int) string{
		"equal":      func(int) string { return "Concierge" },
		"one letter": func(int) string { return "x" },
		"wide":       func(int) string { return "旅行" },
		"numbered":   func(i int) string { return strings.Repeat("agent ", 1+i%3) + log.IDText(a2a.AgentID(i)) },
		"long":       func(i int) string { return strings.Repeat("é", 4000) + log.IDText(a2a.AgentID(i)) },
		"controls":   func(i int) string { return "\x1b]0;\u202e\ufeff\xff" + string(rune(i)) },
		"letters":    func(i int) string { return string([]rune{rune(0x1100 + i), rune(0x1f300 + i), rune(0x600 + i)}) },
	}
	for what, name := range names {
		p := sessiontest.NewTape()
		for i := range 300 {
			opened(p, name(i))
		}
		seen := map[string]bool{}
		for _, a := range p.State.Agents {
			tag := strings.ToLower(a.Tag)
			if w := canvas.Width(canvas.SanitizeLine(a.Tag)); seen[tag] || w == 0 || w > 4 ||
				strings.ContainsFunc(tag, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				t.Fatalf("%s: got tag %q of agent %d, want one of its own, of one to four cells", what, a.Tag, a.ID)
			}
			seen[tag] = true
		}
	}
}

// What comes later changes no tag: neither another agent, nor another name, nor an end; and a replay has the same ones.
func TestATagNeverChanges(t *testing.T) {
	p := sessiontest.NewTape()
	note := func(kind, id, name string) {
		p.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: kind, Attrs: map[string]string{log.AttrAgent: id, log.AttrRef: "http://127.0.0.1:9000", log.AttrName: name}}})
	}
	note(log.NoteOpening, "1", "")
	if got := tagsOf(p.State); got[0] != "" {
		t.Errorf("got tag %q while the card is looked for, want none yet", got[0])
	}
	note(log.NoteOpened, "1", "")
	opened(p, "go-v1")
	note(log.NoteNamed, "1", "go-v03")
	note(log.NoteClosed, "2", "")
	note(log.NoteOpening, "3", "go-v1")
	note(log.NoteReopened, "2", "")
	want := []string{"9000", "v1", "gv12"}
	if got := tagsOf(p.State); !slices.Equal(got, want) {
		t.Errorf("got tags %q, want %q", got, want)
	}
	again := model.NewState()
	for id := range p.State.Log.Len() {
		again.Apply(log.Item{Record: p.State.Log.At(a2a.RecordID(id + 1)).Record})
	}
	if got := tagsOf(again); !slices.Equal(got, want) {
		t.Errorf("got tags %q in a replay, want %q", got, want)
	}
}

// A recording that begins after the discovery has tags, too.
func TestAnAgentWithoutADiscoveryHasATag(t *testing.T) {
	p := sessiontest.NewTape()
	p.Ask(sessiontest.CallOf(a2a.OpStream, 1), "hello")
	if got := tagsOf(p.State); got[0] == "" {
		t.Error("got no tag, want one")
	}
}
