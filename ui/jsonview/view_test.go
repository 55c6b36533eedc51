package jsonview

import (
	"strings"
	"testing"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/styles"
)

// status is a typical event.
const status = `{"jsonrpc":"2.0","id":"c41f-1","result":{"statusUpdate":{"taskId":"91c2e0d4-77f1-4b12-9c3a-0a1b2c3d4e5f",` +
	`"status":{"state":"TASK_STATE_INPUT_REQUIRED","timestamp":"2026-11-20T14:02:07","message":{"role":"ROLE_AGENT",` +
	`"parts":[{"text":"Which dates\nwould you like?"}]}},"metadata":{},"n":12345678901234567890.10}}}`

func open(body string, w, h int) *View {
	v := New(styles.New(themes.Mono(), styles.Unicode()))
	v.SetSize(w, h)
	v.SetBody([]byte(body), nil)
	return v
}

// screen returns the text on the screen without styles and trailing blanks.
func screen(lines []string) string {
	return strings.TrimRight(panetest.Text(lines), "\n")
}

func exact(t *testing.T, lines []string, w, h int) {
	t.Helper()
	panetest.Exact(t, lines, w, h)
}

func TestTreeShowsTheWholeEnvelope(t *testing.T) {
	v := open(status, 60, 20)
	want := strings.Trim(`
 1   jsonrpc "2.0"
 2   id      "c41f-1"
 3 ▾ result
 4   ▾ statusUpdate
 5       taskId   "91c2e0d4-77f1-4b12-9c3a-0a1b2c3d4e5f"
 6     ▾ status
 7         state     "TASK_STATE_INPUT_REQUIRED"
 8         timestamp "2026-11-20T14:02:07"
 9       ▾ message
10           role "ROLE_AGENT"
11         ▾ parts
12           ▾ 0
13             ▸ text "Which dates\nwould you like?"
14       metadata {}
15       n        12345678901234567890.10`, "\n")
	if got := screen(v.Lines()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFoldingKeepsLineNumbersAndSaysWhatIsInside(t *testing.T) {
	v := open(status, 60, 20)
	v.Move(10) // parts
	v.Toggle()
	v.Move(-5) // status
	if got := screen(v.Lines()); !strings.Contains(got, "11         ▸ parts [1]\n14       metadata {}") {
		t.Errorf("got unfolded parts, want them folded:\n%s", got)
	}
	v.Toggle()
	if got := screen(v.Lines()); !strings.Contains(got, " 6     ▸ status {state, timestamp, message}\n14 ") {
		t.Errorf("got an unfolded status, want it folded:\n%s", got)
	}
	v.Toggle()
	v.FoldAll(true)
	if got, want := screen(v.Lines()), " 1   jsonrpc \"2.0\"\n 2   id      \"c41f-1\"\n 3 ▸ result {statusUpdate}"; got != want {
		t.Errorf("folded tree is\n%s\nwant\n%s", got, want)
	}
	v.FoldAll(false)
	if v.Height(100) != 15 {
		t.Errorf("got %d lines after unfolding, want 15", v.Height(100))
	}
}

func TestToggleOnALeafFoldsTheTreeAroundIt(t *testing.T) {
	v := open(status, 60, 20)
	v.Move(6)
	v.Toggle()
	if _, at := v.Selection(); at != "/result/statusUpdate/status" {
		t.Errorf("cursor is at %s, want /result/statusUpdate/status", at)
	}
	if v.Height(100) != 8 {
		t.Errorf("got %d lines after folding, want 8", v.Height(100))
	}
	v.Top()
	v.Toggle() // no tree around it can be folded
	if v.Height(100) != 8 {
		t.Errorf("got %d lines after Toggle on a top-level leaf, want 8", v.Height(100))
	}
}

func TestLongTextOpensOnDemand(t *testing.T) {
	v := open(`{"a":"one\ntwo `+strings.Repeat("word ", 30)+`\u001b[31m","b":1}`, 40, 20)
	if got := screen(v.Lines()); !strings.Contains(got, ` 1 ▸ a "one\ntwo word word word w… 169 B`) {
		t.Errorf("got a closed text in full, want it shortened:\n%s", got)
	}
	v.Toggle()
	got := screen(v.Lines())
	if !strings.Contains(got, "▾ a \"one") || !strings.Contains(got, "\n     one\n     two word word") || !strings.Contains(got, "␛[31m") {
		t.Errorf("got no opened text, want it:\n%s", got)
	}
	exact(t, v.Lines(), 40, 20)
	v.Move(3)
	v.Toggle() // inside the text
	if v.Height(100) != 2 {
		t.Errorf("got %d lines after closing, want 2", v.Height(100))
	}
}

func TestBase64IsNamedWithItsDecodedSize(t *testing.T) {
	v := open(`{"bytes":"`+strings.Repeat("iVBORw0KGgo9", 1000)+`=="}`, 50, 3)
	if got := screen(v.Lines()); !strings.HasSuffix(got, "… base64 9 kB") {
		t.Errorf("line is %s, want the decoded size", got)
	}
	for _, s := range []string{strings.Repeat("f00d", 64), strings.Repeat("word", 64), strings.Repeat("Ab1 ", 64), "Ab1"} {
		if n, ok := base64Size([]byte(s)); ok {
			t.Errorf("%.20s is taken for base64 of %d bytes, want no base64", s, n)
		}
	}
}

func TestRepeatedNamesAndMarksAreShown(t *testing.T) {
	v := New(styles.New(themes.Mono(), styles.ASCII()))
	v.SetSize(60, 6)
	v.SetBody([]byte(`{"a":1,"a":2,"b":{"c":[true,null]}}`), []Mark{
		{Offset: 7, Text: "DUP-001"},
		{Offset: -1, Pointer: "/b/c/1", Text: "NULL-001"},
		{Offset: -1, Pointer: "/b/missing", Text: "masked", Quiet: true},
	})
	want := " 1   a 1\n 2   a 2  ! DUP-001  ! name repeated\n 3 v b   masked\n 4   v c\n 5       0 true\n 6       1 null  ! NULL-001"
	if got := screen(v.Lines()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBrokenBodiesLoseNothing(t *testing.T) {
	for _, c := range []struct{ body, tree, sentence, rest string }{
		{`{"a":1,"b":"cut he`, " 1   a 1\n 2   b \"cut he…\n", "body ends inside a string. Nothing", ""},
		{`{"a":{"b":1}, oops}`, " 1 ▾ a\n 2     b 1", "Not JSON at byte 14", `, oops}`},
		{`{"a":1}{"b":2}`, " 1   a 1", "complete here, but 7 B follow it", `{"b":2}`},
		{`{"a":[1,{`, " 1 ▾ a\n 2     0 1\n 3     1 {}", "body ends inside an object", ""},
		{`{"a"`, " 1   a", "Not JSON", ""},
		{"<html>\r\n", "", "HTML or XML", "<html>␍␊"},
		{`["x" "y"]`, " 1 ▾ [1]\n 2     0 \"x\"", "Not JSON", ` "y"]`},
		{"\xff\x00", "", "Not JSON", "⟨FF⟩␀"},
	} {
		got := screen(open(c.body, 100, 8).Lines())
		if !strings.HasPrefix(got, c.tree) || !strings.Contains(got, c.sentence) || !strings.HasSuffix(got, c.rest) {
			t.Errorf("body %q: want %q, %q and %q in\n%s", c.body, c.tree, c.sentence, c.rest, got)
		}
	}
	if got := screen(open("", 40, 3).Lines()); got != "" {
		t.Errorf("empty body is shown as %q, want nothing", got)
	}
	if got := screen(open(`17`, 40, 3).Lines()); got != " 1   17" {
		t.Errorf("scalar is shown as %q, want one line", got)
	}
}

func TestSelectionIsExact(t *testing.T) {
	v := open(`{"s":"a\u00e9\n","bad":"\ud800","o":{ "x" : 1.0 },"cut":`, 60, 10)
	for _, want := range []string{"aé\n", `"\ud800"`, `{ "x" : 1.0 }`, "1.0", "cut", ":"} {
		if got, _ := v.Selection(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		v.Move(1)
	}
}

func TestLargeBodiesAreBytesUntilTheJobIsDone(t *testing.T) {
	body := `{"items":[` + strings.Repeat(`{"n":1},`, inline/8) + `{"last":true}]}`
	v := open(body, 60, 10)
	if got := screen(v.Lines()); !strings.Contains(got, "Reading 1.0 MB") && !strings.Contains(got, "Reading 1 MB") || !strings.Contains(got, `{"items":[{"n":1}`) {
		t.Fatalf("large body: got no bytes before the job, want them:\n%s", got)
	}
	v.Scroll(500)
	job, ok := v.Job()
	if !ok {
		t.Fatal("large body: got no job, want one")
	}
	if _, again := v.Job(); again {
		t.Error("got the same job twice, want it once")
	}
	done := job.Run()
	other := open(body, 60, 10)
	if other.Apply(done) {
		t.Error("Apply accepted the result of another view's job, want it discarded")
	}
	if !v.Apply(done) || v.Apply(Result{}) {
		t.Error("Apply: got the empty result accepted or the job's refused, want exactly the job's")
	}
	if got := screen(v.Lines()); !strings.Contains(got, "▾") || strings.Contains(got, "   1 ") {
		t.Errorf("got another place after Apply, want the same:\n%s", got)
	}
	v.Bottom()
	if got := screen(v.Lines()); !strings.HasSuffix(got, "last true") {
		t.Errorf("got a screen without the end, want it:\n%s", got)
	}
	v.SetBody([]byte(`{}`), nil)
	if v.Apply(done) {
		t.Error("Apply accepted a result for an earlier body, want it discarded")
	}
}

func TestOnlyVisibleLinesAreDrawn(t *testing.T) {
	v := open("["+strings.Repeat(`{"n":1},`, 40_000)+"0]", 60, 30)
	v.Bottom()
	if got := screen(v.Lines()); !strings.Contains(got, "▾ 39999\n") || !strings.HasSuffix(got, "40000 0") {
		t.Errorf("got a screen without the end, want it:\n%s", got)
	}
	if n := len(v.memo.widths); n == 0 || n > 31 {
		t.Errorf("measured %d objects for 30 rows, want 1 to 31", n)
	}
	for _, i := range []int{0, 1, 255, 256, 257, 511, 512, 513, 39_999} {
		if got := v.x.position(0, 1+3*i); got != i {
			t.Errorf("position of element %[2]d is %[1]d, want %[2]d", got, i)
		}
	}
	v.Top()
	v.Toggle()
	if got := screen(v.Lines()); got != "    1 ▸ [40,001]" {
		t.Errorf("folded root is %s, want one line", got)
	}
}

func TestDeepNestingStaysReadable(t *testing.T) {
	for _, depth := range []int{200, 9_999, 12_000} {
		v := open(strings.Repeat(`{"a":[`, depth/2)+`"deep"`+strings.Repeat("]}", depth/2), 60, 20)
		v.Bottom()
		exact(t, v.Lines(), 60, 20)
		v.Move(-depth / 2)
		exact(t, v.Lines(), 60, 20)
		v.FoldAll(true)
		exact(t, v.Lines(), 60, 20)
	}
	if got := screen(open(strings.Repeat("[", 300)+strings.Repeat("]", 300), 60, 300).Lines()); !strings.Contains(got, "299…") {
		t.Error("got no depth in a deep line, want 299")
	}
}

// walk checks that stepping down and up visits the same lines, and returns their number.
func walk(t *testing.T, doc walker, most int) int {
	t.Helper()
	p, ok := doc.first()
	if !ok {
		return 0
	}
	if _, up := doc.prev(p); up {
		t.Fatalf("got a predecessor of the first place %v, want none", p)
	}
	n := 1
	for n < most {
		if fixed := doc.fix(p); fixed != p {
			t.Fatalf("fix(%v) = %v, want it unchanged", p, fixed)
		}
		q, more := doc.next(p)
		if !more {
			if last := doc.last(); last != p {
				t.Fatalf("got last() = %v, want %v as the last step reaches", last, p)
			}
			return n
		}
		if !p.before(q) {
			t.Fatalf("next(%v) = %v, want a later place", p, q)
		}
		if back, up := doc.prev(q); !up || back != p {
			t.Fatalf("prev(%v) = %v, want %v", q, back, p)
		}
		p = q
		n++
	}
	return n
}

func FuzzView(f *testing.F) {
	for _, body := range []string{
		status, `{"a":1,"a":[{}],"\u0061":"\ud800"}`, `{"a":1,"b":`, `[1,2`, "\xEF\xBB\xBF[]\x00", `1 2`, "\"\xff\u202e\x9b\"", `{"a":{"b":{"`,
		"{\"\":{\"\":\"\"}}\r\n\r\n", "\"\u1100\u1161\U0001F1E9\U0001F1EA\"", strings.Repeat("[", 50), `{"k":"` + strings.Repeat("é", 300) + `"}`,
	} {
		f.Add([]byte(body), []byte("jjTv kv+n-wvNGgoTp"))
	}
	f.Fuzz(func(t *testing.T, body, keys []byte) {
		v := New(styles.New(themes.Dark(), styles.Unicode()))
		v.SetFocused(true)
		v.SetProse(loud)
		v.SetFinder(find("[a-c]+"))
		w, h := 40, 9
		v.SetSize(w, h)
		v.SetBody(body, []Mark{{Offset: len(body) / 2, Text: "HALF"}, {Offset: -1, Pointer: "/a/0/~1"}})
		for _, k := range keys[:min(len(keys), 40)] {
			switch k {
			case 'j':
				v.Move(1)
			case 'k':
				v.Move(-1)
			case 'G':
				v.Bottom()
			case 'g':
				v.Top()
			case '+':
				v.FoldAll(false)
			case '-':
				v.FoldAll(true)
			case 's':
				v.Scroll(5)
			case 'v':
				v.NextFormat()
			case 'n', 'N':
				v.Seek(k == 'N')
			case 'p':
				v.Go(-1, v.Pointer())
			case 'o':
				v.Go(len(body)*2/3, "")
			case 'w':
				w = 1 + (w*7)%90
				v.SetSize(w, h)
			default:
				v.Click(int(k) % 10)
			}
			exact(t, v.Lines(), w, h)
		}
		if len(body) < 2000 {
			walk(t, v, 5000)
		}
		b := NewBytes(v.st)
		b.SetSize(w, h)
		b.SetBody(body)
		for range 2 {
			exact(t, b.Lines(), w, h)
			if len(body) < 2000 {
				walk(t, b.doc(), 5000)
			}
			b.Go(len(body) / 2)
			b.SetHex(!b.Hex())
		}
	})
}
