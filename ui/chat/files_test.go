package chat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
)

// names lists the files of an intent.
func names(t *testing.T, in Intent) string {
	t.Helper()
	files, ok := in.(Files)
	if !ok {
		t.Fatalf("got intent %T, want Files", in)
	}
	var out []string
	for _, f := range files.List {
		out = append(out, f.Name)
	}
	return strings.Join(out, ", ")
}

func TestWhatIsUnderTheCursorIsSaved(t *testing.T) {
	p := open(mono(), travel(), 80, 40)
	settle(t, p)
	p.Focus()
	var got []string
	for range 30 {
		in, ok := press(p, "w").(Files)
		if ok && (len(got) == 0 || got[len(got)-1] != in.List[0].Name) {
			got = append(got, names(t, in))
		}
		press(p, "k")
	}
	if want := "message.md|map.png|fares.json|itinerary.md|message.md"; strings.Join(got, "|") != want {
		t.Errorf("got files %q from below, want %q", strings.Join(got, "|"), want)
	}
	if in := press(p, "o").(Files); !in.Open || names(t, in) != "message.md" {
		t.Errorf("o: got intent %+v, want Files with Open", in)
	}
}

func TestAFileIsWhatThePartHolds(t *testing.T) {
	for _, c := range []struct {
		part             a2a.Part
		name, about, has string
	}{
		{a2a.Part{Kind: a2a.PartBytes, Filename: "../../x", MediaType: "text/plain", Encoded: "aGVsbG8="}, "x.txt", "text/plain, 5 B", "hello"},
		{a2a.Part{Kind: a2a.PartBytes, Encoded: "iVBORw0KGgo="}, "k.png", "file, 8 B", "\x89PNG\r\n\x1a\n"},
		{a2a.Part{Kind: a2a.PartBytes, Filename: strings.Repeat("🧳", 1000) + ".pdf"}, strings.Repeat("🧳", 59) + ".pdf", "file, 0 B", ""},
		{a2a.Part{Kind: a2a.PartData, Data: json.RawMessage(`{"a":1}`)}, "k.json", "data, 7 B", `{"a":1}`},
		{a2a.Part{Kind: a2a.PartUnknown, Raw: json.RawMessage(`{"b":2}`)}, "k.json", "unknown, 7 B", `{"b":2}`},
	} {
		p := open(mono(), onePart(c.part), 80, 40)
		p.Focus()
		in, _ := press(p, "w").(Files)
		if len(in.List) != 1 {
			t.Fatalf("part %+v: got %d files, want 1", c.part, len(in.List))
		}
		f := in.List[0]
		if data, err := f.Data(); err != nil || string(data) != c.has || f.Name != c.name || f.About != c.about {
			t.Errorf("got file %q, %q, %q, %v; want %q, %q, %q", f.Name, f.About, data, err, c.name, c.about, c.has)
		}
		p.SetPath(f, "/there")
		if f = press(p, "w").(Files).List[0]; f.Path != "/there" {
			t.Errorf("saved file: got %+v, want path /there", f)
		}
	}
	bad := File{part: a2a.Part{Kind: a2a.PartBytes, Encoded: "*"}}
	if _, err := bad.Data(); err == nil || err.Error() != "its content is not base64" {
		t.Errorf("data that is not base64: got error %v, want one that says so", err)
	}
}

func TestInAnArtifactOfManyPartsTheLineSaysWhichIsSaved(t *testing.T) {
	conv, art := streaming()
	chunk(conv, art, 100, "Here it is:")
	art.Parts = append(art.Parts, model.PlacedPart{Offset: len(art.Text), Record: 101, Part: photo(t, "a.png", 2, 2)})
	chunk(conv, art, 102, "and that was it.")
	p := open(mono(), conv, 60, 40)
	settle(t, p)
	p.Focus()
	for _, want := range []string{"essay.md, a.png", "a.png", "essay.md, a.png"} {
		if got := names(t, press(p, "w")); got != want {
			t.Errorf("line %d: got files %q, want %q", p.line, got, want)
		}
		press(p, "k")
	}
	chunk(conv, art, 103, " Or not.")
	first := p.ResultFiles(10)
	if len(first) != 2 || first[0].Name != "essay.md" || string(first[0].text) != "Here it is:and that was it. Or not." {
		t.Errorf("got results %+v, want essay.md with its whole text and a.png", first)
	}
}

func TestResultsAreTheNewestAndBounded(t *testing.T) {
	conv := travel()
	block := conv.Turns[0].Blocks[0]
	for range 300 {
		block.Entries = append(block.Entries, model.Entry{Kind: model.EntryMessage, Message: &a2a.Message{Parts: []a2a.Part{
			a2a.TextPart("one"), {Kind: a2a.PartBytes, Filename: "old.bin"},
		}}})
	}
	block.Entries[len(block.Entries)-1].Message.Parts[1].Filename = "new.bin"
	p := open(mono(), conv, 60, 40)
	got := p.ResultFiles(100)
	if len(got) != 100 || got[0].Name != "new.bin" || got[1].Name != "old.bin" {
		t.Errorf("got %d results beginning with %q and %q, want 100 beginning with new.bin and old.bin", len(got), got[0].Name, got[1].Name)
	}
	if all := p.ResultFiles(1000); len(all) != 303 {
		t.Errorf("got %d results, want 303", len(all))
	}
	if none := open(mono(), nil, 60, 40).ResultFiles(10); none != nil {
		t.Errorf("no conversation: got %d results, want none", len(none))
	}
}

func TestWhatWasReplacedIsReached(t *testing.T) {
	conv, art := streaming()
	chunk(conv, art, 100, "The third.")
	art.Live = false
	part := func(text string) []model.PlacedPart {
		return []model.PlacedPart{{Part: a2a.Part{Kind: a2a.PartBytes, Filename: "p.txt", Content: []byte(text)}}}
	}
	art.Revisions = []model.Revision{{Text: []byte("The first."), Parts: part("one")}, {Parts: part("two")}, {Text: []byte("The second.")}}
	p := open(mono(), conv, 70, 40)
	p.Focus()
	files := press(p, "V").(Files)
	if !files.Look || len(files.List) != 2 {
		t.Fatalf("V: got intent %+v, want Files with Look and two files", files)
	}
	say := func(f File) string {
		data, err := f.Data()
		return fmt.Sprint(f.Name, " ", string(data), " ", err)
	}
	var got []string
	for _, f := range files.List {
		for _, past := range f.Past() {
			got = append(got, say(past))
		}
		got = append(got, say(f))
	}
	want := "essay, version 1.md The first. <nil>|essay, version 3.md The second. <nil>|essay.md The third. <nil>|p, version 1.txt one <nil>|p, version 2.txt two <nil>"
	if strings.Join(got, "|") != want {
		t.Errorf("got files  %s\nwant %s", strings.Join(got, "|"), want)
	}
	press(p, "v")
	if got := screen(p); !strings.Contains(got, "version 1, until it was replaced; V and [ show it whole") {
		t.Errorf("got a screen without the hint to the earlier versions, want it:\n%s", got)
	}
	seen := map[any]bool{}
	for _, f := range append(files.List[0].Past(), files.List...) {
		if seen[f.id] {
			t.Errorf("file %s: got the id of another file, want its own", f.Name)
		}
		seen[f.id] = true
	}
}

func TestMessagesThatWereReplacedAreReached(t *testing.T) {
	conv := travel()
	block := conv.Turns[0].Blocks[0]
	last := &block.Entries[len(block.Entries)-1]
	before := *last
	said := *last.Message
	said.Parts = []a2a.Part{a2a.TextPart("What I said first.")}
	before.Message, before.Replaced = &said, true
	block.Entries = append(block.Entries[:len(block.Entries)-1:len(block.Entries)-1], before, *last)
	p := open(mono(), conv, 70, 40)
	p.Focus()
	files := press(p, "V").(Files)
	if len(files.List) != 1 || len(files.List[0].Past()) != 1 {
		t.Fatalf("V: got intent %+v, want one file with one earlier version", files)
	}
	if data, _ := files.List[0].Past()[0].Data(); string(data) != "What I said first." {
		t.Errorf("got earlier version %q, want the first message", data)
	}
}
