package chat

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// artifactOf returns a conversation whose only artifact is one part.
func artifactOf(part a2a.Part) *model.Conversation {
	conv := travel()
	block := conv.Turns[0].Blocks[0]
	art := &model.Artifact{Key: "a1", Task: block.Task, Chunks: 1, Count: 1, Version: 1, Sealed: true, Parts: []model.PlacedPart{{Record: 20, Part: part}}}
	block.Task.State, block.Task.Prompt = a2a.StateCompleted, nil
	block.Task.Artifacts = []*model.Artifact{art}
	block.Entries = []model.Entry{{Kind: model.EntryArtifact, Artifact: art, Time: noon, Record: 20}}
	return conv
}

// unfolded returns a pane whose cursor is on that artifact, unfolded.
func unfolded(t *testing.T, conv *model.Conversation, w, h int) *Pane {
	t.Helper()
	p := open(mono(), conv, w, h)
	p.Focus()
	press(p, "space")
	settle(t, p)
	exact(t, p, w, h)
	return p
}

func TestDataIsATreeThatFoldsWhereTheCursorStands(t *testing.T) {
	p := unfolded(t, artifactOf(a2a.Part{Kind: a2a.PartData, Data: json.RawMessage(`{"trip":{"to":"LHR","days":[1,2.50]},"note":"a\nb"}`)}), 60, 20)
	if got := screen(p); !strings.Contains(got, "|     v trip\n|       v days") && !strings.Contains(got, `to "LHR"`) {
		t.Fatalf("got a screen without the tree, want it:\n%s", got)
	}
	if intent, ok := press(p, "j").(RevealRecord); !ok || intent.Record != 20 {
		t.Errorf("cursor in the tree: got intent %+v, want record 20", intent)
	}
	if got := press(p, "y"); got != (Copy{`{"to":"LHR","days":[1,2.50]}`}) {
		t.Errorf("got copy %+v, want the object", got)
	}
	press(p, "space")
	if got := screen(p); strings.Contains(got, "LHR") || !strings.Contains(got, "trip {to, days}") {
		t.Errorf("folded tree: got\n%s\nwant only its summary", got)
	}
	press(p, "j")
	if got := press(p, "y"); got != (Copy{"a\nb"}) {
		t.Errorf("got copy %+v, want the string", got)
	}
	press(p, "k", "space")
	if got := screen(p); !strings.Contains(got, "LHR") {
		t.Errorf("unfolded tree: got no members, want them:\n%s", got)
	}
	press(p, "k")
	if got := press(p, "y").(Copy).Text; !strings.HasPrefix(got, `{"trip"`) {
		t.Errorf("cursor at the name: got copy %q, want the whole value", got)
	}
	press(p, "space")
	if got := screen(p); strings.Contains(got, "trip") {
		t.Errorf("folded part: got its tree, want it hidden:\n%s", got)
	}
	if p.line != -1 {
		t.Errorf("folded part: got cursor line %d, want -1", p.line)
	}
}

func TestALongTreeBeginsFolded(t *testing.T) {
	var members []string
	for i := range 50 {
		members = append(members, fmt.Sprintf(`"k%d":{"a":[1,2,3]}`, i))
	}
	p := unfolded(t, artifactOf(a2a.Part{Kind: a2a.PartData, Data: json.RawMessage("{" + strings.Join(members, ",") + "}")}), 60, 70)
	if got := screen(p); !strings.Contains(got, "k49 {a}") || strings.Contains(got, "[3]") {
		t.Errorf("large tree: got it unfolded at first, want it folded:\n%s", got)
	}
}

func TestDataOfOneShapeIsATable(t *testing.T) {
	for name, part := range map[string]a2a.Part{
		"data": {Kind: a2a.PartData, Data: json.RawMessage(`[{"flight":"OS 411","seats":9},{"flight":"BA 763","seats":12}]`)},
		"csv":  {Kind: a2a.PartBytes, Filename: "f.csv", Encoded: base64.StdEncoding.EncodeToString([]byte("flight,seats\nOS 411,9\nBA 763,12\n"))},
		"uri":  {Kind: a2a.PartURL, URL: "data:text/csv,flight,seats%0AOS 411,9%0ABA 763,12%0A"},
	} {
		p := unfolded(t, artifactOf(part), 60, 20)
		if got := screen(p); !strings.Contains(got, "   flight  seats\n|   ----------------\n|   1  OS 411      9\n|   2  BA 763     12") {
			t.Errorf("%s: got a screen without the table, want it:\n%s", name, got)
		}
		press(p, "j", "j", "j", "j")
		if got, ok := press(p, "y").(Copy); !ok || !strings.Contains(got.Text, "BA 763") || strings.Contains(got.Text, "OS 411") {
			t.Errorf("%s: got copy %q, want the row of BA 763", name, got.Text)
		}
	}
}

// spreadsheet makes an artifact stream as CSV.
func spreadsheet(rows int) (*model.Conversation, *model.Artifact) {
	conv, art := streaming()
	art.Name, art.MediaType = "flights.csv", "text/csv"
	chunk(conv, art, 100, "flight,seats\n")
	for i := range rows {
		chunk(conv, art, a2a.RecordID(101+i), fmt.Sprintf("OS %d,%d\n", i, i%10))
	}
	return conv, art
}

func TestCSVIsTextWhileItComesAndATableThen(t *testing.T) {
	conv, art := spreadsheet(50)
	p := open(mono(), conv, 60, 40)
	p.Focus()
	settle(t, p)
	content := &p.row.body.(*artifact).content
	if got := screen(p); !strings.Contains(got, ": OS 49,9") || content.runs[0].doc.size != 0 {
		t.Fatalf("streaming CSV: got a table, want text:\n%s", got)
	}
	art.Live, art.Sealed = false, true
	art.Version++
	touch(conv)
	settle(t, p)
	if got := screen(p); !strings.Contains(got, ":  1  OS 0        0\n") || !strings.Contains(got, ": ~ V shows 30 more rows") {
		t.Fatalf("complete CSV: got text, want a table:\n%s", got)
	}
	at := model.Anchor{Conversation: conv.ID, Turn: 1, Entry: 2, Record: 105, Offset: art.Spans[5].Offset}
	if !p.SelectRecord(at) || p.Selected() != 105 || p.line != 2+4 {
		t.Errorf("record 105: got line %d with record %d, want line 6", p.line, p.Selected())
	}
	press(p, "space")
	if got := strings.Join(p.row.bodyLines, "\n"); !strings.Contains(got, "50  OS 49") || strings.Contains(got, "more row") {
		t.Errorf("unfolded table: got no last row, want it:\n%s", got)
	}
	if got := press(p, "y"); got != (Copy{"OS 4,4"}) {
		t.Errorf("got copy %+v, want the row", got)
	}
	chunk(conv, art, 300, "OS 50,0\n")
	settle(t, p)
	if got := screen(p); !strings.Contains(got, "more row") || !strings.Contains(got, "31") {
		t.Errorf("table: got no appended row, want it:\n%s", got)
	}
}

func TestATableOfAHundredThousandRowsIsDrawnAsFarAsItIsSeen(t *testing.T) {
	conv, art := streaming()
	art.Name, art.Live = "big.csv", false
	chunk(conv, art, 100, "n,square\n"+strings.Repeat("12,144\n", 100_000))
	p := open(mono(), conv, 60, 20)
	p.Focus()
	if rows := len(p.row.Lines(60)); rows > 2*initialLines {
		t.Errorf("folded table: got %d lines, want at most 40", rows)
	}
	press(p, "space")
	if rows := len(p.row.Lines(60)); rows > maxJSONLines+10 {
		t.Errorf("unfolded table: got %d lines, want at most 410", rows)
	}
	if got := strings.Join(p.row.bodyLines, "\n"); !strings.Contains(got, "99,600 more rows") {
		t.Errorf("got %q, want the number of hidden rows", p.row.bodyLines[len(p.row.bodyLines)-1])
	}
}

func TestCodeIsHighlighted(t *testing.T) {
	conv, art := streaming()
	art.Name = "main.go"
	chunk(conv, art, 100, "package main\n\n# no heading\n")
	p := open(dark(), conv, 60, 20)
	settle(t, p)
	keyword := dark().Accent.S("package")
	if got := styled(p); strings.Contains(got, keyword) || !strings.Contains(got, "# no heading") {
		t.Errorf("streaming code: got it highlighted, want plain text:\n%s", got)
	}
	art.Live = false
	art.Version++
	touch(conv)
	settle(t, p)
	if got := styled(p); !strings.Contains(got, keyword) || !strings.Contains(got, "heading") {
		t.Errorf("complete code: got plain text, want it highlighted:\n%s", got)
	}
	part := a2a.Part{Kind: a2a.PartBytes, MediaType: "text/x-go", Encoded: base64.StdEncoding.EncodeToString([]byte("package main\n"))}
	p = open(dark(), artifactOf(part), 60, 20)
	p.Focus()
	press(p, "space")
	settle(t, p)
	if got := styled(p); !strings.Contains(got, keyword) {
		t.Errorf("file of code: got plain text, want it highlighted:\n%s", got)
	}
}

func TestDataInAMessageIsATreeToo(t *testing.T) {
	conv := travel()
	block := conv.Turns[0].Blocks[0]
	last := &block.Entries[len(block.Entries)-1]
	last.Message.Parts = append(last.Message.Parts, a2a.Part{Kind: a2a.PartData, Data: json.RawMessage(`{"a":{"b":1},"c":2}`)})
	p := open(mono(), conv, 60, 40)
	p.Focus()
	press(p, "space")
	settle(t, p)
	press(p, "j", "j", "j", "y")
	for range 6 {
		if got := press(p, "y"); got == (Copy{"2"}) {
			return
		}
		press(p, "j")
	}
	t.Errorf("cursor did not reach the value, want it selected:\n%s", screen(p))
}

func TestWhatIsSealedWithEveryChunkIsLookedAtWhenTheStreamIsOver(t *testing.T) {
	art, add := sealing(t, model.NewState())
	p := open(mono(), art.Task.Conversation, 60, 40)
	p.Focus()
	add(true, "1,2\n")
	p.Lines()
	content := &p.out.rows[len(p.out.rows)-1].body.(*artifact).content
	for range 20 {
		add(true, "3,4\n")
		p.Lines()
		if content.runs[0].doc.inset != nil {
			t.Fatal("a chunk made a table, want none while the stream is open")
		}
	}
	add(false, "")
	settle(t, p)
	if content.runs[0].doc.inset == nil {
		t.Errorf("got no table in an ended stream, want one:\n%s", screen(p))
	}
}

// sealing returns a task whose agent seals its artifact with every chunk. add appends a chunk,
// or ends the stream.
func sealing(t *testing.T, state *model.State) (art *model.Artifact, add func(more bool, text string)) {
	t.Helper()
	call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10}
	n := a2a.RecordID(0)
	put := func(r a2a.Record) {
		n++
		r.ID, r.Exchange, r.Call, r.Time = n, 1, call, noon
		it := log.Item{Record: r}
		if r.Kind == a2a.KindEvent {
			it.Update = a2a.Decode(call, a2a.Input{Body: r.Raw, Stream: true, Status: 200})
		}
		state.Apply(it)
	}
	put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Raw: []byte(`{}`)})
	put(a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}}})
	chunk := func(text string) {
		put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t1","contextId":"c1",`+
			`"append":%t,"lastChunk":true,"artifact":{"artifactId":"a1","name":"x.csv","parts":[{"text":%q}]}}}}`, n > 3, text)})
	}
	put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Raw: []byte(`{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}}`)})
	chunk("a,b\n")
	art = state.Task(1, "t1").Artifacts[0]
	return art, func(more bool, text string) {
		if more {
			chunk(text)
			return
		}
		put(a2a.Record{Kind: a2a.KindEnd, End: &a2a.End{Reason: a2a.Ended}})
	}
}

// JSON in a text is shown as JSON without a media type, and one key shows the original text;
// what only looks like JSON stays text.
func TestJSONInATextIsShownAsATree(t *testing.T) {
	says := func(text string) *model.Conversation {
		conv := travel()
		b := conv.Turns[0].Blocks[0]
		b.Entries = append(b.Entries, model.Entry{Kind: model.EntryMessage, Record: 20,
			Message: &a2a.Message{ID: "m7", Role: a2a.RoleAgent, Parts: []a2a.Part{a2a.TextPart(text)}}})
		return conv
	}
	p := open(mono(), says(`{"order":{"id":7,"paid":true},"note":"two"}`), 90, 60)
	settle(t, p)
	p.Focus()
	if got := screen(p); strings.Contains(got, `{"order":{`) || !strings.Contains(got, "order") || !strings.Contains(got, "v shows the text as it came") {
		t.Errorf("JSON in a text: got text, want a tree:\n%s", got)
	}
	press(p, "v")
	if got := screen(p); !strings.Contains(got, `{"order":{"id":7,"paid":true},"note":"two"}`) {
		t.Errorf("got a screen after v without the original text, want it:\n%s", got)
	}
	p = open(mono(), says(`{not json}`), 90, 60)
	settle(t, p)
	if got := screen(p); !strings.Contains(got, "{not json}") || strings.Contains(got, "as it came") {
		t.Errorf("text that is not JSON: got a tree, want text:\n%s", got)
	}
}

// The text of an artifact is shown as a tree or a table too, whatever its media type is; it is
// parsed when it is complete, not with every chunk.
func TestJSONInTheTextOfAnArtifactIsShownAsATreeOrTable(t *testing.T) {
	for _, c := range []struct{ name, mediaType, text, sees string }{
		{"result", "", `{"order":{"id":7,"paid":true},"note":"two"}`, "order"},
		{"result.txt", "text/plain", " [{\"id\":1,\"paid\":true},{\"id\":2,\"paid\":false}]\n", "paid"},
		{"result.md", "text/markdown", `{"order":{"id":7}}`, "order"},
	} {
		conv, art := streaming()
		art.Name, art.MediaType, art.Text, art.Spans = c.name, c.mediaType, nil, nil
		p := open(mono(), conv, 90, 60)
		p.Focus()
		content := func() *content { return &p.out.rows[len(p.out.rows)-1].body.(*artifact).content }
		for i := range c.text {
			chunk(conv, art, a2a.RecordID(100+i), c.text[i:i+1])
			p.Lines()
			if content().runs[0].doc.size != 0 {
				t.Fatalf("%s: growing text was parsed, want no document", c.name)
			}
		}
		art.Live = false
		art.Version++
		touch(conv)
		settle(t, p)
		got := screen(p)
		if !strings.Contains(got, "v shows the text as it came") || strings.Contains(got, `{"`) || !strings.Contains(got, c.sees) {
			t.Errorf("%s: got a screen without the JSON, want it:\n%s", c.name, got)
		}
		for range 40 { // every line is reachable, and nothing breaks
			p.Selected()
			press(p, "k", "y")
		}
		press(p, "G", "v")
		settle(t, p)
		if got := screen(p); !strings.Contains(got, `{"`) || strings.Contains(got, "as it came") {
			t.Errorf("%s: got a screen after v without the original text, want it:\n%s", c.name, got)
		}
		press(p, "v")
		if got := screen(p); strings.Contains(got, `{"`) {
			t.Errorf("%s: got the original text after a second v, want the tree:\n%s", c.name, got)
		}
	}
	conv, art := streaming()
	art.Name, art.MediaType, art.Text, art.Live = "list.py", "", []byte("[1]"), false
	art.Version++
	touch(conv)
	p := open(mono(), conv, 90, 60)
	settle(t, p)
	if got := screen(p); strings.Contains(got, "as it came") {
		t.Errorf("code: got a tree, want text:\n%s", got)
	}
}
