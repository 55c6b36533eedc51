package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"parley/a2a"
)

// listFlags are the flags of parley task list.
type listFlags struct {
	callFlags
	contextID string
	status    string
	after     string
	pageSize  int
	pageToken string
	artifacts bool
	everyPage bool
	history   historyFlag

	filter a2a.ListFilter // of the flags
}

// maxPages is how many pages --every-page requests.
const maxPages = 1000

func (a *app) taskListCommand() *cobra.Command {
	var f listFlags
	c := &cobra.Command{
		Use:   "list [flags]",
		Short: "List the agent's tasks, page by page",
		Long:  "List the tasks that the agent knows, newest first, one page of them. The page\nends with the command for the next one; --every-page requests all.",
		Example: `  parley task list -a http://localhost:9999 --status working
  parley task list -a localhost:9999 --context-id 5f3c --every-page -o json
  parley task list -a Desk --page-size 20`,
		Args: argCount(0, "parley task list takes no arguments: --context-id and --status choose tasks."),
	}
	c.RunE = func(*cobra.Command, []string) error {
		f.remember(c)
		if err := f.history.check(a, c); err != nil {
			return err
		}
		if err := f.read(); err != nil {
			return err
		}
		return a.taskList(&f)
	}
	a.callFlags(c, &f.callFlags)
	fs := c.Flags()
	fs.StringVar(&f.contextID, "context-id", "", "only tasks of the context of this `id`")
	fs.StringVar(&f.status, "status", "", "only tasks in this `state`, such as working or input-required")
	fs.StringVar(&f.after, "updated-after", "", "only tasks whose status is newer than this `time`, as in 2026-01-31T12:00:00Z")
	fs.IntVar(&f.pageSize, "page-size", 0, "at most `n` tasks in a page (default: the agent decides)")
	fs.StringVar(&f.pageToken, "page-token", "", "the page that this `token` names")
	fs.BoolVar(&f.artifacts, "include-artifacts", false, "also request the artifacts of the tasks")
	fs.BoolVar(&f.everyPage, "every-page", false, "request every page")
	f.history.flag(fs)
	return c
}

// listedStates are the states that --status can name.
var listedStates = []a2a.State{a2a.StateSubmitted, a2a.StateWorking, a2a.StateInputRequired, a2a.StateAuthRequired, a2a.StateCompleted, a2a.StateFailed, a2a.StateCanceled, a2a.StateRejected}

// read makes the filter of the flags.
func (f *listFlags) read() error {
	f.filter = a2a.ListFilter{ContextID: f.contextID, PageSize: f.pageSize, PageToken: f.pageToken, StatusTimestampAfter: f.after}
	if f.artifacts {
		f.filter.IncludeArtifacts = a2a.True
	}
	if f.pageSize < 0 {
		return usage("The value of --page-size is negative.")
	}
	if f.status == "" {
		return nil
	}
	var words []string
	for _, s := range listedStates {
		words = append(words, s.String())
		if strings.EqualFold(s.String(), strings.ReplaceAll(f.status, "_", "-")) {
			f.filter.State = s
			return nil
		}
	}
	return usage("The value of --status is none of %s.", strings.Join(words, ", "))
}

// A taskPage is ListTasksResponse (specification 1.0 §3.1.4), of one page or of all.
type taskPage struct {
	Tasks         []json.RawMessage `json:"tasks"`
	NextPageToken string            `json:"nextPageToken"`
	PageSize      int               `json:"pageSize"`
	TotalSize     int               `json:"totalSize"`
}

// taskList runs the command.
func (a *app) taskList(f *listFlags) error {
	op, err := a.connect("task list", &f.callFlags)
	if err != nil {
		return err
	}
	defer op.end()
	doc := taskPage{Tasks: []json.RawMessage{}}
	seen, said := map[string]bool{}, 0 // what the agent says of the size of its page
	for range maxPages {
		list, err := op.ask(a2a.EventTaskList, func() a2a.TurnID { return op.engine.List(op.agent, f.filter, f.history.length) })
		if err != nil {
			return op.advise(err, nil)
		}
		said = pageSizeIn(list.Raw)
		doc.NextPageToken, doc.TotalSize = list.NextPageToken, max(doc.TotalSize, list.TotalSize)
		for i := range list.Tasks {
			op.printListed(&list.Tasks[i], len(doc.Tasks) == 0)
			doc.Tasks = append(doc.Tasks, a2a.EncodeV1Task(&list.Tasks[i]))
		}
		next := list.NextPageToken
		if !f.everyPage || next == "" {
			break
		}
		if seen[next] {
			a.note("Warning", "the agent names a page twice: Parley stops after %d tasks.", len(doc.Tasks))
			break
		}
		seen[next], f.filter.PageToken = true, next
	}
	if doc.PageSize = said; said == 0 || f.everyPage {
		doc.PageSize = len(doc.Tasks)
	}
	op.endList(f, &doc)
	return op.broken
}

// pageSizeIn returns the size of a page according to the agent, 0 if it names none.
func pageSizeIn(raw []byte) int {
	var page struct {
		PageSize float64 `json:"pageSize"`
	}
	if json.Unmarshal(raw, &page) != nil || page.PageSize < 0 || page.PageSize > math.MaxInt32 {
		return 0
	}
	return int(page.PageSize)
}

// printListed prints one task of a list at once, unless all are one document. As text, an empty
// line separates it from the one before.
func (op *operation) printListed(t *a2a.Task, first bool) {
	switch {
	case op.app.json && op.flags.stream:
		op.document("", a2a.EncodeV1Task(t))
	case !op.app.json:
		p := op.newPage()
		if !first {
			p.add("\n")
		}
		if op.flags.verbose || len(t.Artifacts) > 0 {
			p.task(t, op.flags.verbose)
		} else {
			p.ids(t.ID, t.ContextID, &t.Status)
			p.field("Since", t.Status.TimestampText)
		}
		op.print(&p)
	}
}

// endList prints what follows the tasks.
func (op *operation) endList(f *listFlags, doc *taskPage) {
	switch {
	case op.app.json && op.flags.stream:
	case op.app.json:
		if raw, err := json.Marshal(doc); err == nil {
			op.document("", raw)
		}
	default:
		var p page
		if len(doc.Tasks) > 0 {
			p.add("\n")
		}
		of := ""
		if doc.TotalSize > 0 {
			of = fmt.Sprintf(" of %d", doc.TotalSize)
		}
		p.field("Tasks", fmt.Sprintf("%d%s", len(doc.Tasks), of))
		if doc.NextPageToken != "" {
			p.field("Next page", "parley task list"+op.flags.again()+f.filterWords()+" --page-token "+shellWord(doc.NextPageToken))
		}
		op.print(&p)
	}
}

// filterWords are the flags that the next page needs too.
func (f *listFlags) filterWords() (words string) {
	for _, flag := range []struct{ name, value string }{{"context-id", f.contextID}, {"status", f.status}, {"updated-after", f.after}} {
		if flag.value != "" {
			words += " --" + flag.name + " " + shellWord(flag.value)
		}
	}
	if f.pageSize > 0 {
		words += fmt.Sprintf(" --page-size %d", f.pageSize)
	}
	return words
}

// ask performs an operation whose answer is not about a task, and returns the event of the kind
// that answers it.
func (op *operation) ask(kind a2a.EventKind, start func() a2a.TurnID) (*a2a.Event, error) {
	op.answer = answer{noted: true}
	sig, err := op.turn(start)
	switch h := &op.answer; {
	case err != nil:
		return nil, err
	case sig.Sentence != "":
		return nil, op.failure(sig, nil)
	case h.other == nil || h.other.Kind != kind:
		return nil, internal("The agent's answer contains nothing that A2A defines for this; --debug shows it.")
	}
	return op.answer.other, nil
}
