package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"

	"parley/a2a"
	"parley/internal/golden"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/task"
	"parley/ui/looks"
	"parley/ui/media"
	"parley/ui/styles"
)

// The corner that ends a document is the space below it: no blank row follows.
func TestNothingBlankFollowsTheCornerOfADocument(t *testing.T) {
	for _, w := range []int{40, 64, 100} {
		rows := strings.Split(screen(open(dark(), travel(), w, 60)), "\n")
		corner := slices.IndexFunc(rows, func(row string) bool { return strings.HasSuffix(row, "└") })
		if corner < 0 || !strings.Contains(rows[corner+1], "fares.json") {
			t.Errorf("%d cells: got no chip below the corner of the document:\n%s", w, strings.Join(rows, "\n"))
		}
	}
}

func TestConversationLooksAsDesigned(t *testing.T) {
	for _, w := range []int{40, 64, 100} {
		for name, st := range map[string]*styles.Styles{"dark": dark(), "mono": mono()} {
			p := open(st, travel(), w, 30)
			settle(t, p)
			exact(t, p, w, 30)
			golden.Compare(t, fmt.Sprintf("travel-%s-%d", name, w), styled(p))
		}
	}
}

func TestStateLineTellsTransitionsAndDurations(t *testing.T) {
	p := open(mono(), travel(), 80, 30)
	if got := screen(p); !strings.Contains(got, "+ submitted -- + working 2.4 s -- ? input-required") || !strings.Contains(got, "task 91c2 - 3.1 s") {
		t.Errorf("got a screen without the states or without the duration, want both:\n%s", got)
	}
}

func TestARunningTaskHasARunningClock(t *testing.T) {
	conv, _ := streaming()
	now := noon.Add(1500 * time.Millisecond)
	p := namedPane(mono(), func() time.Time { return now })
	p.SetSize(80, 20)
	p.Show(conv.Agent, conv)
	if got := screen(p); !strings.Contains(got, "* working") || !strings.Contains(got, "task 91c2 - 1 s") {
		t.Fatalf("got a screen without the running state, want it:\n%s", got)
	}
	now = noon.Add(8 * time.Second)
	p.Tick()
	if got := screen(p); !strings.Contains(got, "* working 7 s") || !strings.Contains(got, "task 91c2 - 8 s") {
		t.Errorf("got a screen without the new durations after Tick, want it:\n%s", got)
	}
	conv.Turns[0].Pending = false
	conv.Tasks[0].Version++
	touch(conv)
	if got := screen(p); !strings.Contains(got, "task 91c2 - at least 653 ms") {
		t.Errorf("got a screen that does not say that the end of the task is not known:\n%s", got)
	}
}

func TestAStateNobodyKnowsIsShownAsItCame(t *testing.T) {
	conv := travel()
	b := conv.Turns[0].Blocks[0]
	b.Entries = append(b.Entries, model.Entry{Kind: model.EntryState, Record: 11, State: model.Transition{State: a2a.StateOther, Word: "TASK_STATE_PO\x1b[31mNDERING"}})
	p := open(mono(), conv, 100, 30)
	if got := screen(p); !strings.Contains(got, ". TASK_STATE_PO") || !strings.Contains(got, "NDERING") {
		t.Errorf("got a screen without the agent's own state, want it:\n%s", got)
	}
}

func TestChunksAppearLiveAndTheCursorStandsAtTheEndOnlyWhileTheStreamIsOpen(t *testing.T) {
	conv, art := streaming()
	p := open(dark(), conv, 60, 20)
	block := dark().Cursor.S(" ")
	chunk(conv, art, 101, "# Tides\n\nThe sea ")
	chunk(conv, art, 102, "comes and goes.")
	settle(t, p)
	if got := screen(p); !strings.Contains(got, "essay.md  2 parts · 32 B · live") || !strings.Contains(got, "The sea comes and goes.") {
		t.Fatalf("got a screen without the live artifact, want it:\n%s", got)
	}
	if strings.Count(styled(p), block) != 1 || !strings.Contains(styled(p), "goes."+styles.Reset+block) {
		t.Errorf("got growing text %q, want one block cursor behind it", styled(p))
	}
	art.Live, art.Sealed = false, true
	art.Version++
	touch(conv)
	settle(t, p)
	if got := styled(p); strings.Contains(got, block) || strings.Contains(got, "live") || !strings.Contains(got, "ended") {
		t.Errorf("got an ended artifact as live, want it ended: %q", got)
	}
}

func TestReplacedTextIsReachable(t *testing.T) {
	conv, art := streaming()
	p := open(mono(), conv, 60, 30)
	chunk(conv, art, 101, "first version")
	settle(t, p)
	art.Revisions = append(art.Revisions, model.Revision{Text: art.Text, Record: 102})
	art.Text, art.Spans, art.Reset = nil, nil, art.Reset+1
	chunk(conv, art, 102, "second version")
	settle(t, p)
	if got := screen(p); strings.Contains(got, "first version") || !strings.Contains(got, "second version") || !strings.Contains(got, "replaced 1 time") {
		t.Fatalf("got the first version or no second one, want the second:\n%s", got)
	}
	p.Focus()
	press(p, "v")
	if got := screen(p); !strings.Contains(got, "first version") {
		t.Errorf("got a screen after v without the first version, want it:\n%s", got)
	}
}

func TestReplacedMessagesAreHiddenAndReachable(t *testing.T) {
	conv := travel()
	b := conv.Turns[0].Blocks[0]
	say := func(text string) model.Entry {
		return model.Entry{Kind: model.EntryMessage, Record: 20, Message: &a2a.Message{ID: "m7", Role: a2a.RoleAgent, Parts: []a2a.Part{a2a.TextPart(text)}}}
	}
	b.Entries = append(b.Entries, say("draft one"))
	p := open(mono(), conv, 80, 40)
	settle(t, p)
	b.Entries[len(b.Entries)-1].Replaced = true
	b.Entries = append(b.Entries, say("final text"))
	touch(conv)
	settle(t, p)
	if got := screen(p); strings.Contains(got, "draft one") || !strings.Contains(got, "final text") || !strings.Contains(got, "replaced 1 earlier version") {
		t.Fatalf("got the draft or no final message, want the final message:\n%s", got)
	}
	p.Focus()
	press(p, "v")
	if got := screen(p); !strings.Contains(got, "draft one") {
		t.Errorf("got a screen after v without the draft, want it:\n%s", got)
	}
}

func TestNeedsYouStandsOnlyWhileTheTaskWaits(t *testing.T) {
	conv := travel()
	task := conv.Tasks[0]
	p := open(mono(), conv, 80, 30)
	if got := screen(p); !strings.Contains(got, "? needs you  task 91c2\n| Which dates") {
		t.Fatalf("got a screen without the question, want it:\n%s", got)
	}
	task.State = a2a.StateAuthRequired
	task.Version++
	touch(conv)
	if got := screen(p); !strings.Contains(got, "needs you  authorization - task 91c2") {
		t.Errorf("got a screen without the request for authorization, want it:\n%s", got)
	}
	task.Prompt = nil
	task.Version++
	touch(conv)
	if got := screen(p); !strings.Contains(got, "does not say how to give it") {
		t.Errorf("got a question without words and without the note, want the note:\n%s", got)
	}
	task.Answered = true
	task.Version++
	touch(conv)
	if got := screen(p); strings.Contains(got, "needs you") || !strings.Contains(got, "Which dates") {
		t.Errorf("got an answered question that waits for the user, want its text alone:\n%s", got)
	}
}

func TestARefusedAnswerLeavesTheQuestionWhereItStands(t *testing.T) {
	conv := travel()
	task := conv.Tasks[0]
	p := open(mono(), conv, 80, 60)
	turn := &model.Turn{
		ID: 2, Conversation: conv, Record: 20, Time: noon, Version: 1,
		Message: &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("10 to 17 October")}},
		Blocks: []*model.Block{{Task: task, Version: 1, Entries: []model.Entry{{Kind: model.EntryProblem, Record: 22, Time: noon, Problem: &problem.Problem{
			Sentence: "The agent answered InvalidParams: no.", Class: problem.ClassRPC,
		}}}}},
	}
	conv.Turns = append(conv.Turns, turn)
	touch(conv)
	got := screen(p)
	if strings.Count(got, "needs you") != 1 || strings.Contains(got, "does not say") || !strings.Contains(got, "? needs you  task 91c2\n| Which dates") {
		t.Errorf("got a screen after a refused answer without the one question, want it:\n%s", got)
	}
	// When a task asks again without words, the later block says so and the old question is no
	// longer one.
	asks := model.Transition{State: a2a.StateInputRequired, Word: "input-required", Time: noon, Record: 23}
	task.Transitions, task.Prompt = append(task.Transitions, asks), nil
	task.Version++
	turn.Blocks[0].Entries = append(turn.Blocks[0].Entries, model.Entry{Kind: model.EntryState, Record: 23, Time: noon, State: asks})
	touch(conv)
	if got := screen(p); strings.Count(got, "needs you") != 1 || strings.Index(got, "needs you") < strings.Index(got, "InvalidParams") {
		t.Errorf("got a screen without the question in the later block, want it:\n%s", got)
	}
}

func TestProblemsAreOneSentenceWithDetailOnDemand(t *testing.T) {
	conv := travel()
	b := conv.Turns[0].Blocks[0]
	b.Entries = append(b.Entries, model.Entry{Kind: model.EntryProblem, Record: 12, Problem: &problem.Problem{
		Sentence: "The connection to Travel Desk was cut in the middle of an event.", Detail: "unexpected EOF", Class: "body",
		Err: &a2a.RPCError{Code: -32001, Name: "TaskNotFoundError", Message: "gone", Data: json.RawMessage(`{"id":"x"}`)},
	}})
	p := open(mono(), conv, 90, 40)
	p.Focus()
	if got := screen(p); !strings.Contains(got, "x The connection to Travel Desk was cut") || strings.Contains(got, "EOF") || !strings.Contains(got, `{"id":"x"}`) {
		t.Fatalf("got the detail of the problem or no sentence, want the sentence:\n%s", got)
	}
	press(p, "space")
	if got := screen(p); !strings.Contains(got, "unexpected EOF") || !strings.Contains(got, "TaskNotFoundError (-32001): gone") || !strings.Contains(got, `"id": "x"`) {
		t.Errorf("got no detail in the unfolded problem, want it:\n%s", got)
	}
}

// The general error says nothing that the sentence or the detail has not said.
func TestTheDetailOfAProblemSaysEachThingOnce(t *testing.T) {
	for _, c := range []struct{ sentence, detail string }{
		{"It requires credentials.", "The agent answered an error: HTTP 401 Unauthorized."},
		{"The agent answered HTTP 401 Unauthorized.", ""},
	} {
		conv := travel()
		b := conv.Turns[0].Blocks[0]
		b.Entries = append(b.Entries, model.Entry{Kind: model.EntryProblem, Record: 12, Problem: &problem.Problem{
			Sentence: c.sentence, Detail: c.detail, Class: a2a.ClassAuth, Err: &a2a.RPCError{Message: "HTTP 401 Unauthorized"},
		}})
		p := open(mono(), conv, 90, 40)
		p.Focus()
		press(p, "space")
		if got := screen(p); strings.Count(got, "HTTP 401 Unauthorized") != 1 {
			t.Errorf("%+v: got the error %d times, want it once:\n%s", c, strings.Count(got, "HTTP 401 Unauthorized"), got)
		}
	}
}

func TestDataOfAnErrorIsShownInWordsAndOnlyWhereSomethingIsToBeDone(t *testing.T) {
	info := `[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND","domain":"a2a-protocol.org","metadata":{"taskId":"91c2","at":"noon"}}]`
	for _, c := range []struct {
		name, class, data string
		want, not         string
	}{
		{"an ErrorInfo", "rpc", info, "TASK_NOT_FOUND · at noon · taskId 91c2", "@type"},
		{"two details", "rpc", `[{"@type":"google.rpc.ErrorInfo","reason":"A"},{"@type":"other"}]`, `"reason":"A"`, "· A"},
		{"what Parley did something about", problem.ClassFallback, info, "x starts anew", "TASK_NOT_FOUND"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conv := travel()
			b := conv.Turns[0].Blocks[0]
			b.Entries = append(b.Entries, model.Entry{Kind: model.EntryProblem, Record: 12, Problem: &problem.Problem{
				Sentence: "x starts anew.", Class: c.class, Err: &a2a.RPCError{Code: -32001, Data: json.RawMessage(c.data)},
			}})
			if got := screen(open(mono(), conv, 100, 40)); !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
				t.Errorf("want %q and not %q in\n%s", c.want, c.not, got)
			}
		})
	}
}

func TestUnknownThingsAreShownVerbatimWithAMark(t *testing.T) {
	conv := travel()
	b := conv.Turns[0].Blocks[0]
	b.Entries = append(b.Entries,
		model.Entry{Kind: model.EntryUnknown, Record: 13, Raw: json.RawMessage(`{"kind":"telepathy","x":1}`)},
		model.Entry{Kind: model.EntryMessage, Record: 14, Message: &a2a.Message{Parts: []a2a.Part{{Raw: json.RawMessage(`{"kind":"smell"}`)}}}},
	)
	p := open(mono(), conv, 90, 40)
	got := screen(p)
	if !strings.Contains(got, `. unknown event {"kind":"telepathy","x":1}`) || !strings.Contains(got, `. unknown part {"kind":"smell"}`) {
		t.Errorf("got a screen without the unknown event or without the unknown part, want both:\n%s", got)
	}
}

func TestDetailShowsDescriptionIdsAndAllMetadata(t *testing.T) {
	conv := travel()
	conv.Tasks[0].Metadata = json.RawMessage(`{"trace":"abc"}`)
	conv.Tasks[0].Prompt.Metadata = json.RawMessage(`{"form":[1,2]}`)
	conv.Tasks[0].Prompt.Parts[0].Metadata = json.RawMessage(`{"lang":"en"}`)
	p := open(mono(), conv, 90, 80)
	p.Focus()
	press(p, "d")
	if got := screen(p); !strings.Contains(got, `"form": [`) || !strings.Contains(got, `"lang": "en"`) || !strings.Contains(got, "ROLE_AGENT") {
		t.Errorf("got no metadata in the details of a message, want it:\n%s", got)
	}
	for p.row.body != nil {
		if _, ok := p.row.body.(*artifact); ok && p.row.byLine() {
			break
		}
		press(p, "k")
	}
	press(p, "d")
	if got := screen(p); !strings.Contains(got, "What you asked for, by day.") || !strings.Contains(got, `"source": "amadeus"`) {
		t.Errorf("got no description or no metadata in the details of an artifact, want both:\n%s", got)
	}
	press(p, "g", "home")
	for _, ok := p.row.body.(*head); !ok; _, ok = p.row.body.(*head) {
		press(p, "j")
	}
	press(p, "d")
	if got := screen(p); !strings.Contains(got, "91c2e0d4-77f1") || !strings.Contains(got, "7f3a11b9-02c8") || !strings.Contains(got, `"trace": "abc"`) {
		t.Errorf("got no ids or no metadata in the details of a task, want both:\n%s", got)
	}
}

func TestHistoryOfTheTaskIsOneKeyAway(t *testing.T) {
	conv := travel()
	conv.Tasks[0].History = []a2a.Message{
		{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("said before")}},
		{Role: a2a.RoleAgent, Parts: []a2a.Part{{Kind: a2a.PartData, Data: json.RawMessage(`[1]`)}}},
	}
	p := open(mono(), conv, 90, 50)
	p.Focus()
	press(p, "H")
	if got := screen(p); !strings.Contains(got, "history - 2 messages") || !strings.Contains(got, "> said before") || !strings.Contains(got, "data - 1 item") {
		t.Errorf("got a screen without the history, want it:\n%s", got)
	}
	press(p, "H")
	if got := screen(p); strings.Contains(got, "said before") {
		t.Errorf("got the history on the screen after a second H, want none:\n%s", got)
	}
}

func TestDataUnfoldsAsATree(t *testing.T) {
	p := open(mono(), travel(), 90, 50)
	p.Focus()
	for !isChip(p.row) {
		press(p, "k")
	}
	press(p, "k", "space")
	if got := screen(p); !strings.Contains(got, `"OS 411" 120.50`) || !strings.Contains(got, `"SK 805" null`) {
		t.Errorf("got a screen without the tree with exact numbers, want it:\n%s", got)
	}
}

func TestCodeIsNotReadAsMarkdown(t *testing.T) {
	for name, isMarkdown := range map[string]bool{"a.md": true, "": true, "notes": true, "main.go": false, "x.JSON": false, "data.csv": false} {
		if media.IsMarkdown("", name) != isMarkdown {
			t.Errorf("name %q: got IsMarkdown %t, want %t", name, !isMarkdown, isMarkdown)
		}
	}
	for kind, isMarkdown := range map[string]bool{"text/markdown; charset=utf-8": true, "text/x-go": false, "text/plain": false, "application/json": false} {
		if media.IsMarkdown(kind, "x") != isMarkdown {
			t.Errorf("media type %q: got IsMarkdown %t, want %t", kind, !isMarkdown, isMarkdown)
		}
	}
	conv, art := streaming()
	art.Name = "main.go"
	p := open(mono(), conv, 60, 20)
	chunk(conv, art, 101, "# not a heading\nfunc main() {\n\tprintln(1)")
	chunk(conv, art, 102, "\n}\n")
	settle(t, p)
	if got := screen(p); !strings.Contains(got, ": # not a heading\n| : func main() {\n| :     println(1)\n| : }") {
		t.Errorf("got a screen without the code as text, want it:\n%s", got)
	}
}

func TestALongPasteOfTheUserIsFolded(t *testing.T) {
	conv := travel()
	conv.Turns[0].Message.Parts[0].Text = "first\n" + strings.Repeat("more\n", 100_000) + "last"
	p := open(mono(), conv, 60, 20)
	press(p, "g")
	for range 3 {
		press(p, "pgdown")
	}
	if n := len(p.out.rows[0].Lines(60)); n > maxUserLines+5 {
		t.Errorf("folded message: got %d lines, want at most 45", n)
	}
	if got := strings.Join(p.out.rows[0].Lines(60), "\n"); !strings.Contains(got, "99,962 more lines") {
		t.Errorf("got no number of hidden lines in the folded message, want it: %q", got)
	}
}

func enabled(bindings []key.Binding) string {
	var names []string
	for _, b := range bindings {
		if b.Enabled() {
			names = append(names, b.Help().Desc)
		}
	}
	return strings.Join(names, " ")
}

func TestHelpNamesOnlyKeysThatAct(t *testing.T) {
	p := open(mono(), nil, 60, 20)
	if got := enabled(p.ShortHelp()); got != "" {
		t.Errorf("no agent: got enabled keys %s, want none", got)
	}
	conv := travel()
	p.Show(conv.Agent, nil)
	if got := enabled(p.ShortHelp()); got != "use example" {
		t.Errorf("greeting: got enabled keys %s, want try", got)
	}
	p.Show(conv.Agent, conv)
	p.Focus()
	if got := enabled(p.ShortHelp()); got != "show record show details show timeline copy text search text preview file save file save and open" {
		t.Errorf("at a message: got enabled keys %s", got)
	}
	for !isChip(p.row) {
		press(p, "k")
	}
	if got := enabled(p.ShortHelp()); got != "show record save file preview file save and open show content show details show timeline copy text search text" {
		t.Errorf("at a chip: got enabled keys %s", got)
	}
	if len(p.FullHelp()) == 0 {
		t.Error("FullHelp is empty, want all keys")
	}
}

// The signs of what a task needs from the user differ without colour.
func TestWhatIsWantedHasTheSignOfItsState(t *testing.T) {
	k := &renderer{settings: &settings{st: mono()}}
	for _, s := range []a2a.State{a2a.StateInputRequired, a2a.StateAuthRequired} {
		sign, _ := looks.State(k.st, s)
		task := &model.Task{ID: "t", Lifecycle: task.Lifecycle{State: s}, Conversation: &model.Conversation{Agent: &model.Agent{}}}
		panetest.Sees(t, panetest.Text(needsYou(k, task, 80)), k.st.G[sign]+" needs you")
	}
}

// The head names who does the work, if that is not the agent itself.
func TestTheHeadNamesWhoDoesTheWork(t *testing.T) {
	conv := travel()
	p := namedPane(mono(), clockAt(noon))
	p.SetSize(80, 60)
	p.Show(conv.Agent, conv)
	if text := panetest.Text(p.Lines()); strings.Contains(text, "workflow") {
		t.Errorf("got a workflow on the screen though no worker is known, want none:\n%s", text)
	}
	task := conv.Tasks[0]
	task.Worker = model.Worker{Agent: "OrderProcessor", Workflow: "Order\x1b[2JWorkflow"}
	task.Version++
	conv.Turns[0].Blocks[0].Version++
	conv.Turns[0].Version++
	conv.Version++
	text := panetest.Text(p.Lines())
	panetest.Sees(t, text, "by OrderProcessor in workflow Order")
	task.Worker.Agent = conv.Agent.CardName()
	task.Version++
	conv.Turns[0].Version++
	conv.Version++
	if text := panetest.Text(p.Lines()); strings.Contains(text, "by "+conv.Agent.CardName()) {
		t.Errorf("got the agent as its own worker, want no worker:\n%s", text)
	}
}
