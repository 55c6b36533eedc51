package record

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/themes"
	"parley/ui/styles"
)

func TestTheLastRowTellsWhereTheCursorIs(t *testing.T) {
	v := openView(booking(), 5, 100, 30)
	has(t, v, "\n/jsonrpc  bytes 11 to 15")
	press(v, "j", "j", "j", "j", "j", "j", "j")
	has(t, v, "\n/result/statusUpdate/status/state  bytes 99 to 120")
	if got, want := press(v, "Y"), (Copy{Text: "/result/statusUpdate/status/state", What: "the JSON pointer"}); got != want {
		t.Errorf("Y returned %#v, want %#v", got, want)
	}
	v.SetSize(40, 30)
	has(t, v, "\n…tusUpdate/status/state  bytes 99 to 120")
	if last := v.Lines(false)[29]; strings.Contains(last, "state") {
		t.Error("got the cursor's place while the view does not have the keys, want none")
	}
	v.SetSize(40, 6)
	hasNot(t, v, "bytes")
}

func TestTextThatHoldsJSONIsSeenInPlace(t *testing.T) {
	v := openView(booking(), 4, 80, 40)
	press(v, "G")
	if got := press(v, "v"); got != (Say{"shown as JSON"}) {
		t.Errorf("v returned %#v, want that the text is shown as JSON", got)
	}
	has(t, v, "\"OS 411\" 9", "\"BA 763\" 2")
	press(v, "v")
	has(t, v, `{"OS 411":9,"BA 763":2}`)
}

func TestFindingsLeadToTheirPlaceAndAreMuted(t *testing.T) {
	f := booking()
	v := openView(f, 5, 80, 40)
	press(v, "5")
	has(t, v, "⚑ W STAT-004", "⚑ E ART-002", "Something is wrong", "fix   send the right one", "at    /result/statusUpdate/taskId, byte 30", "by    ", "⚑ i TEST-001")
	for !strings.HasPrefix(v.entryRule(), "ART") {
		press(v, "j")
	}
	if got := press(v, "enter"); got != nil {
		t.Errorf("enter returned %#v, want nil", got)
	}
	has(t, v, "\n/result/statusUpdate/taskId  bytes")
	if v.Tab() != Pretty {
		t.Errorf("enter shows tab %d, want the tree", v.Tab())
	}
	press(v, "5")
	for v.entryRule() != "TEST-001" {
		press(v, "j")
	}
	if got, _ := press(v, "enter").(Say); !strings.Contains(got.Text, "the whole record") {
		t.Errorf("enter on a finding without a place returned %#v, want an explanation", got)
	}
	if got, _ := press(v, "m").(Say); !strings.Contains(got.Text, "TEST-001 is muted") {
		t.Errorf("m returned %q, want that TEST-001 is muted", got.Text)
	}
	has(t, v, "findings 2 ", "i TEST-001 muted: As a whole")
	press(v, "1")
	hasNot(t, v, "TEST-001")
	press(v, "5", "G")
	press(v, "m")
	has(t, v, "findings 3 ", "⚑ i TEST-001 As a whole")
	for _, rule := range []string{"ART-002", "TEST-001", "STAT-004"} {
		f.State.Log.Findings().Mute(rule, true)
	}
	has(t, v, "findings muted")
}

// entryRule returns the rule of the finding under the cursor.
func (v *View) entryRule() string {
	v.Lines(true)
	if f := v.sheet.entry().finding; f != nil {
		return f.Rule
	}
	return ""
}

func TestOneSecretIsRevealedUntilTheRecordIsLeft(t *testing.T) {
	f := booking()
	v := openView(f, 1, 80, 40)
	press(v, "3")
	hasNot(t, v, "url-word", "the-secret", "one", "two")
	has(t, v, "masked 17 B", "masked 8 B", "masked 6 B")
	press(v, "g", "u")
	has(t, v, "a2a?key=url-word HTTP/1.1  revealed")
	press(v, "j", "u")
	has(t, v, "Bearer the-secret")
	hasNot(t, v, "url-word")
	if got, want := press(v, "y"), (Copy{Text: "Bearer the-secret", What: "the secret in record 1"}); got != want {
		t.Errorf("y on a secret returned %#v, want %#v", got, want)
	}
	press(v, "k")
	if got, _ := press(v, "y").(Copy); strings.Contains(got.Text, "the-secret") || !strings.Contains(got.Text, "Authorization •••") {
		t.Errorf("y copied %q, want the masked headers", got.Text)
	}
	press(v, "j", "j", "j", "u")
	has(t, v, "a=1; b=one; c=two")
	press(v, "u")
	hasNot(t, v, "one", "two")
	press(v, "u")
	v.Show(f.State.Log.At(2))
	v.Show(f.State.Log.At(1))
	hasNot(t, v, "one", "two")
}

func TestASecretThatWasNotRecordedSaysSo(t *testing.T) {
	v := openView(booking(), 2, 90, 40)
	press(v, "3", "G")
	for range 20 {
		if _, ok := v.secret(); ok {
			break
		}
		press(v, "k")
	}
	if got, _ := press(v, "u").(Say); !strings.Contains(got.Text, "not recorded") || !strings.Contains(got.Text, "3fa9") {
		t.Errorf("u returned %q, want that the secret is not recorded", got.Text)
	}
}

func TestASecretInTheBodyIsRevealedBelowTheTree(t *testing.T) {
	f := booking()
	v := openView(f, 1, 80, 40)
	press(v, "j", "j")
	has(t, v, "masked 9 B")
	press(v, "u")
	has(t, v, "in the body, revealed until you leave the record:", "body-word")
	press(v, "u")
	hasNot(t, v, "body-word")
	id := f.Put(1, a2a.Record{
		Kind: a2a.KindEvent, Dir: a2a.In, Raw: []byte("data: {\"t\":\"•••\"}\r\n\r\n"), Data: []byte(`{"t":"•••"}`),
		Redactions: []a2a.Redaction{{Name: "in the body", Offset: 12, Length: len(a2a.Mask), Size: 3, Original: "abc"}},
	})
	v.Show(f.State.Log.At(id))
	press(v, "u")
	has(t, v, "abc")
}

func TestAnUnchangedFrameIsNotDrawnAgain(t *testing.T) {
	f := booking()
	v := openView(f, 5, 80, 40)
	for _, tab := range []string{"1", "2", "3", "4", "5"} {
		press(v, tab)
		before := &v.Lines(true)[0]
		if &v.Lines(true)[0] != before {
			t.Errorf("tab %s: got a new frame without a change, want the previous one", tab)
		}
		for what, change := range map[string]func(){
			"a key": func() { press(v, "j") }, "scrolling": func() { v.Scroll(1) }, "the size": func() { v.SetSize(80+v.h, 40) },
			"styles": func() { v.SetStyles(styles.New(themes.Dark(), styles.Unicode())) }, "a search": func() { v.SetFinder(nil) },
			"another record": func() { v.Show(f.State.Log.At(4)); v.Show(f.State.Log.At(5)) },
			"muting":         func() { f.State.Log.Findings().Mute("ART-002", true) },
		} {
			before := &v.Lines(true)[0]
			if change(); &v.Lines(true)[0] == before {
				t.Errorf("tab %[2]s: got the previous frame after %[1]s, want a new one", what, tab)
			}
			f.State.Log.Findings().Mute("ART-002", false)
		}
		v.SetSize(80, 40)
	}
	press(v, "1")
	before := &v.Lines(true)[0]
	if f.Event(1, `{"result":{}}`); &v.Lines(true)[0] != before {
		t.Error("got a new frame of the shown record after a new record, want the previous one")
	}
}

func TestSavingTakesTheBodyOrTheFileInIt(t *testing.T) {
	png := append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte("pixel"), 40)...)
	f := booking()
	body := `{"result":{"parts":[{"raw":"` + base64.URLEncoding.EncodeToString(png) + `","filename":"../../etc/passwd"}]}}`
	id := f.Event(1, body)
	v := openView(f, id, 80, 30)
	if got, _ := press(v, "w").(Save); got.Name != "record-7.json" || string(got.Data) != body || got.What != "the body of record 7" {
		t.Errorf("w returned %s, %s, %d bytes; want the body of record 7", got.Name, got.What, len(got.Data))
	}
	press(v, "j", "j", "j")
	for given, want := range map[string]string{
		"../../etc/passwd": "passwd.png", `..\\..\\map.PNG`: "map.PNG", "": "result-parts-0-raw.png", `con:..\u0000\u202e.exe!!`: "con-...exe!!", "...": "result-parts-0-raw.png",
	} {
		f.Event(1, strings.Replace(body, "../../etc/passwd", given, 1))
		v.Show(f.State.Log.At(a2a.RecordID(f.State.Log.Len())))
		press(v, "g", "j", "j", "j")
		if got, _ := press(v, "w").(Save); !strings.HasSuffix(got.Name, "-"+want) || !bytes.Equal(got.Data, png) {
			t.Errorf("file name %q: w returned %s, %s, %d bytes; want the file as %s", given, got.Name, got.What, len(got.Data), want)
		}
	}
	v.Show(f.State.Log.At(id))
	press(v, "2")
	if got, _ := press(v, "w").(Save); got.Name != "record-7.txt" || !strings.HasPrefix(string(got.Data), "data: {") {
		t.Errorf("w in the raw tab returned %s, %.10q; want record-7.txt with the frame", got.Name, got.Data)
	}
	v.Show(f.State.Log.At(2))
	if got := press(v, "w"); got != (Say{"Not available now: this record has no bytes."}) {
		t.Errorf("w on a head returned %#v, want a refusal", got)
	}
	if got := press(v, "5"); got != (Say{"There are no findings in record 2."}) {
		t.Errorf("5 returned %#v, want that there are no findings", got)
	}
	if got, want := press(v, "v", "-", "u"), (Say{"Not available now: the cursor is not on a masked value."}); got != want {
		t.Errorf("u returned %#v, want %#v", got, want)
	}
	v.reading = func() bool { return false }
	if in, used := actionsOf(v).Press(panetest.Key("-")); used {
		t.Errorf("key of the rows: got it used with %#v, want it unused", in)
	}
}

func TestWhatIsNotAllThereSaysSo(t *testing.T) {
	f := booking()
	id := f.Put(1, a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(`{"a":"b`), Torn: true, Omitted: 12_000_000})
	v := openView(f, id, 80, 20)
	for _, tab := range []Tab{Pretty, Raw} {
		v.SetTab(tab)
		has(t, v, "The connection ended here.", "12 MB more came but were not recorded")
	}
}

// Where Parley itself stopped reading, neither the connection nor the agent is blamed.
func TestALimitIsNotTheConnection(t *testing.T) {
	f := booking()
	id := f.Put(1, a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(`{"a":"b`), Torn: true})
	end := f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassLimit, Sentence: "host answered with more than 32 MB."}})
	v := openView(f, id, 80, 20)
	has(t, v, "Parley stopped reading here, because of a limit.")
	if text := panetest.Text(v.Lines(false)); strings.Contains(text, "The connection ended here") || strings.Contains(text, "in the middle") {
		t.Errorf("got a broken connection:\n%s", text)
	}
	v = openView(f, end, 80, 20)
	has(t, v, "a limit was reached", "host answered with more than 32 MB.")
}

func TestAFindingIsGoneToByItsRule(t *testing.T) {
	v := openView(booking(), 5, 80, 20)
	v.SetTab(Raw)
	v.ToFinding("ART-002")
	has(t, v, "\n/result/statusUpdate/taskId  bytes")
	v.ToFinding("TEST-001")
	if v.Tab() != Findings || v.entryRule() != "TEST-001" {
		t.Errorf("got tab %d, rule %q; want the findings tab, TEST-001", v.Tab(), v.entryRule())
	}
	v.ToFinding("NONE-001")
	v.Show(nil)
	v.ToFinding("ART-002")
}

func TestSeekingGoesThroughEveryTab(t *testing.T) {
	f := booking()
	v := openView(f, 5, 80, 12)
	v.SetFinder(func(text []byte) (int, int) {
		at := bytes.Index(text, []byte("COMPLETED"))
		return at, at + len("COMPLETED")
	})
	for _, tab := range []Tab{Pretty, Raw} {
		v.SetTab(tab)
		if !v.Seek(false) || v.Seek(false) || v.Seek(true) {
			t.Errorf("tab %d: Seek found another number of matches, want exactly one", tab)
		}
	}
	v.SetTab(Timing)
	if v.Seek(false) {
		t.Error("Seek found a match in the timing tab, want none")
	}
	v.SetFinder(func(text []byte) (int, int) { at := bytes.Index(text, []byte("+91 ms")); return at, at + 6 })
	if !v.Seek(false) || v.sheet.entry().record != 5 {
		t.Error("Seek did not select the step of record 5, want it selected")
	}
}

const evil = "\x1b]52;c;cHduZWQ=\a\x1b[2J\x1b[31mred\u202egnp.exe\u009b8m\r\n\t\x00\xff\u200b한국어👩‍👩‍👧🇩🇪e\u0301\u0301\u0301 "

func TestHostileRecordsReachNoTerminal(t *testing.T) {
	f := booking()
	finding := a2a.Finding{Rule: evil, Pointer: "/" + evil, Offset: -1, Message: evil, Fix: evil}
	head := map[string][]string{"X-" + evil: {evil + a2a.Mask, evil}, "Y": {a2a.Mask}}
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Raw: []byte(evil), Head: &a2a.Head{Method: evil, URL: "http://h/" + evil + a2a.Mask, Proto: evil, Header: head},
		Redactions: []a2a.Redaction{{Name: "header X-" + evil, Size: -1, Original: evil}, {Name: evil, Original: evil}, {Offset: 1 << 30, Length: 3, Name: evil, Original: evil}, {Offset: -5, Length: 9, Name: evil}}})
	f.Put(-50, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: -7, Header: head, Timing: &a2a.Timing{DNS: -time.Hour, Sent: 1 << 62, FirstByte: -1 << 62, Remote: evil}}}, finding)
	f.Event(1<<40, `{"result":{"`+"\u202e\u009b"+`":"\u001b[31m\u0007•••","a":"{\"`+"\u202e"+`\":1}"}}`, finding, a2a.Finding{Offset: 1 << 40, Rule: "X"})
	f.Put(-1<<40, a2a.Record{Kind: a2a.KindEvent, Raw: []byte(evil), Data: []byte(evil), SSE: &a2a.SSEFields{ID: evil, Event: evil}}, finding)
	f.Put(1, a2a.Record{Kind: a2a.KindEnd, Raw: []byte(evil), End: &a2a.End{Reason: evil, Sentence: evil, Detail: evil, Class: evil}})
	for _, size := range [][2]int{{80, 30}, {20, 5}, {7, 3}, {0, 4}, {160, 60}} {
		for id := a2a.RecordID(1); id <= a2a.RecordID(f.State.Log.Len()); id++ {
			v := openView(f, id, size[0], size[1])
			v.SetFinder(func(text []byte) (int, int) { return 0, min(len(text), 3) })
			for tab := Pretty; tab <= Findings; tab++ {
				v.SetTab(tab)
				for range 4 {
					exact(t, v, size[0], size[1])
					if in := press(v, "u", "v", "y"); in == nil {
						t.Fatal("y returned nil, want Copy")
					}
					exact(t, v, size[0], size[1])
					press(v, "enter", "j", "x", "w")
					v.Seek(false)
				}
				v.Click(5, 0)
				v.Click(3, 4)
				v.Click(3, 4)
				exact(t, v, size[0], size[1])
			}
		}
	}
}

func TestActionsSayWhyTheyCannotBeDone(t *testing.T) {
	f := booking()
	why := func(v *View, reading bool, name string) string {
		v.reading = func() bool { return reading }
		for _, a := range actionsOf(v).Commands() {
			if strings.HasPrefix(a.Name, name) {
				if !a.Off {
					a.Run()
					exact(t, v, 80, 30)
				} else if a.Why == "" {
					return Unread
				}
				return a.Why
			}
		}
		return "no such action"
	}
	v := openView(f, 2, 80, 30)
	for name, want := range map[string]string{
		"Save the body": "this record has no bytes", "Show the findings of": "it has no findings", "Preview decoded value": "the cursor is not in the record: read the record first", "Copy record 2": "",
	} {
		if got := why(v, false, name); got != want {
			t.Errorf("action %q: Why is %q, want %q", name, got, want)
		}
	}
	v.Show(f.State.Log.At(5))
	for _, c := range []struct{ name, want string }{
		{"Preview decoded value", ""}, {"Reveal", "the cursor is not on a masked value"}, {"Mute", "the cursor is not on a finding: 5 lists them"}, {"Show the findings of", ""},
		{"Mute ART-002", ""}, {"Fold all", "no tree is shown"}, {"Show the bytes", ""}, {"Show record 5 as a tree", ""}, {"Unfold all", ""},
	} {
		if got := why(v, true, c.name); got != c.want {
			t.Errorf("action %q: Why is %q, want %q", c.name, got, c.want)
		}
	}
	if !v.raw.Hex() || !f.State.Log.Findings().Muted("ART-002") {
		t.Error("enabled actions had no effect, want hex bytes and a muted rule")
	}
	if v.Show(nil); actionsOf(v).Commands() != nil {
		t.Error("Actions without a record returned some, want nil")
	}
}

func TestTheSameRecordInAnotherItemChangesNothing(t *testing.T) {
	f := booking()
	v := openView(f, 1, 80, 40)
	press(v, "3", "g", "u")
	has(t, v, "url-word")
	before := &v.Lines(true)[0]
	twin := *f.State.Log.At(1)
	if v.Show(&twin); &v.Lines(true)[0] != before {
		t.Error("got a new frame for a copy of the same record, want the previous one")
	}
	has(t, v, "url-word")
}

func TestDigitsOfAKeypadChooseATab(t *testing.T) {
	f := booking()
	v := openView(f, 5, 80, 20)
	for i, code := range []rune{tea.KeyKp1, tea.KeyKp2, tea.KeyKp3, tea.KeyKp4, tea.KeyKp5} {
		actionsOf(v).Key(tea.KeyPressMsg{Code: code, Text: string(rune('1' + i))})
		if v.Tab() != Tab(i) {
			t.Errorf("keypad digit %d selected tab %d, want %d", i+1, v.Tab(), i)
		}
	}
}

func TestACheckSaysWhatItDidNotCompare(t *testing.T) {
	f := tape.New()
	f.Call = &a2a.Call{Agent: 1, Op: a2a.OpGet, Dialect: a2a.V10, Check: true}
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://h/"}, Raw: []byte("{}")})
	f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassLimit, Sentence: "More than 32 MB came."}})
	for _, id := range []a2a.RecordID{1, 2} {
		if text := screen(openView(f, id, 90, 30)); !strings.Contains(text, "Not checked against the stream: the answer exceeds the limit.") {
			t.Errorf("record %d: got no sentence on what the check did not compare, want it:\n%s", id, text)
		}
	}
}

// What came after an answer is not read as JSON that is wrong.
func TestASurplusIsShownAsItsBytes(t *testing.T) {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: &a2a.Call{Agent: 1, Op: a2a.OpGet, Dialect: a2a.V10}, Raw: []byte("{}")})
	f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended}})
	id := f.Put(2, a2a.Record{Kind: a2a.KindSurplus, Dir: a2a.In, Raw: []byte("You are \x1b[2Jmine")}, a2a.Finding{Rule: "HTTP-013", Severity: a2a.Error, Message: "19 bytes came after the complete answer"})
	v := openView(f, id, 90, 20)
	pretty := screen(v)
	v.SetTab(Raw)
	if raw := screen(v); strings.Contains(pretty, "Not JSON") || !strings.Contains(pretty, "belong to none") || !strings.Contains(pretty, "HTTP-013") || !strings.Contains(raw, "mine") {
		t.Errorf("got\n%s\nand raw\n%s\nwant a sentence, the finding and the bytes", pretty, raw)
	}
}

// An answer without A2A is not described as complete; a refusal and an answer that is no stream
// are.
func TestAnAnswerWithoutA2AIsNotComplete(t *testing.T) {
	for class, want := range map[string]string{
		a2a.ClassBody: "its answer is not A2A", a2a.ClassNoCredentials: "after a complete answer", "": "after a complete answer",
	} {
		f := tape.New()
		f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: &a2a.Call{Agent: 1, Op: a2a.OpStream, Dialect: a2a.V10}, Raw: []byte(`{"method":"SendStreamingMessage"}`)})
		id := f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended, Class: class}})
		if text := screen(openView(f, id, 100, 20)); !strings.Contains(text, want) {
			t.Errorf("class %q: no %q on the screen, want it:\n%s", class, want, text)
		}
	}
}
