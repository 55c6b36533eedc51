package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/internal/units"
	"parley/session/chain"
	"parley/session/compare"
	"parley/session/export"
	"parley/session/log"
	"parley/session/model"
)

// diffFlags are the flags of parley diff.
type diffFlags struct {
	exitCode bool
	only     string
	ignore   []string
	output   string
}

// diffCommand compares two recorded sessions, or parts of them.
func (a *app) diffCommand() *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two recorded sessions, agents, conversations or tasks",
		Long: `Compare two recorded sessions, or parts of them. A and B are names of sessions,
beginnings of names, or files. What stands after # is a part:
conversation=NUMBER or its name, task=ID, agent=NAME, or the number of a
conversation. A part without a session is one of the other session.

Ids and times do not count as differences; the result lists what is left out.`,
		Example: "  parley diff before.jsonl after.jsonl --exit-code\n  parley diff session.jsonl#1 '#2'\n  parley diff a.jsonl#task=91c2 b.jsonl#task=55d0 --only states,artifacts",
		Args:    argCount(2, "parley diff takes two files, or two parts such as session.jsonl#1 and '#2'."),
		RunE:    func(_ *cobra.Command, args []string) error { return a.diff(args[0], args[1], f) },
	}
	fs := c.Flags()
	fs.BoolVar(&f.exitCode, "exit-code", false, "exit with status 1 if there is a difference that counts")
	fs.StringVar(&f.only, "only", "", "compare and count only these `aspects`: states, artifacts, findings, card, timing, answers")
	fs.StringArrayVar(&f.ignore, "ignore", nil, "ignore this place of every answer, a JSON `pointer` such as /artifacts/*/metadata; repeatable")
	fs.StringVarP(&f.output, "output", "o", "text", "`format`: text or json")
	return c
}

// options returns what the flags ask for.
func (f *diffFlags) options() (o compare.Options, err error) {
	if f.output != "text" && f.output != "json" {
		return o, usage("There is no format %q: -o takes text or json.", line(f.output))
	}
	if f.only != "" {
		if o.Only, err = compare.ParseAspects(f.only); err != nil {
			return o, usage("%s.", sentence(err.Error()))
		}
	}
	for _, text := range f.ignore {
		p, err := compare.ParsePointer(text)
		if err != nil {
			return o, usage("%s.", sentence(err.Error()))
		}
		o.Ignore = append(o.Ignore, p)
	}
	return o, nil
}

// A named is a side as a user names it.
type named struct{ path, part, text string }

// nameSide divides the name of a side into file and part. A file whose name has a # is taken as
// it is.
func nameSide(text string) named {
	if _, err := os.Stat(text); err == nil {
		return named{path: text, text: text}
	}
	path, part, _ := strings.Cut(text, "#")
	if i := strings.LastIndex(text, ".jsonl#"); i >= 0 {
		path, part = text[:i+len(".jsonl")], text[i+len(".jsonl#"):]
	}
	return named{path, part, text}
}

// diff compares two sides and prints the result.
func (a *app) diff(first, second string, f diffFlags) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	sides := [2]named{nameSide(first), nameSide(second)}
	for i := range sides {
		if sides[i].path == "" {
			sides[i].path = sides[1-i].path
		}
		if sides[i].path == "" {
			return usage("Neither side names a file: write session.jsonl#1 '#2'.")
		}
		if strings.HasSuffix(sides[i].text, "#") && sides[i].part == "" && sides[i].path != sides[i].text {
			return usage("%q ends with #: after it stands the number of a conversation, or task=ID.", line(sides[i].text))
		}
	}
	for i := range sides {
		if sides[i].path, err = a.sessionFile(sides[i].path); err != nil {
			return err
		}
	}
	r, err := a.compare(sides, o)
	if err != nil {
		return err
	}
	if err := a.printDiff(r, f.output); err != nil {
		return err
	}
	if f.exitCode && r.Differs() {
		return differs
	}
	return nil
}

// differs is the exit status of a comparison that found a difference.
const differs exitStatus = 1

// compare reads both sides and compares them.
func (a *app) compare(sides [2]named, o compare.Options) (*compare.Result, error) {
	progress := a.newProgress()
	defer progress.erase()
	defer a.env.collectEarly()()
	var of [2]*compare.Side
	var last *model.State
	for i, n := range sides {
		s := last
		if i == 0 || !sameFile(n.path, sides[0].path) {
			var faults []string
			var err error
			s, faults, err = export.Read(a.ctx, export.Source{
				Path: n.path, Formats: map[a2a.Binding]a2a.Format{a2a.BindingGRPC: grpc.NewFormat()},
				Rules:  func() log.Checker { return chain.NewChecker() },
				Report: func(read, size int64) { progress.show("reading "+line(filepath.Base(n.path)), read, size) },
			})
			progress.erase()
			if err != nil {
				return nil, a.uncompared(n.path, err)
			}
			a.noteFaults(n.path, faults)
		}
		side, err := compare.Select(n.text, s, n.part)
		if err != nil {
			return nil, usage("%s: %s.", line(n.text), err.Error())
		}
		of[i], last = side, s
	}
	o.Report = func(done, total int) { progress.show("comparing", int64(done), int64(total)) }
	r, err := compare.Compare(a.ctx, of[0], of[1], o)
	if err != nil {
		return nil, stopped()
	}
	return r, nil
}

// stopped is the failure of a comparison that the user stopped.
func stopped() error { return &fault{code: codeUsage, message: "The comparison was stopped."} }

// uncompared is the failure of a comparison whose file cannot be read. It is no difference, and
// has another exit status.
func (a *app) uncompared(path string, err error) error {
	if a.ctx.Err() != nil {
		return stopped()
	}
	return notOpened(path, err)
}

// noteFaults says what of a file could not be read.
func (a *app) noteFaults(path string, faults []string) {
	const most = 3
	for _, fault := range faults[:min(len(faults), most)] {
		a.note("Warning", "%s: %s", path, fault)
	}
	if more := len(faults) - most; more > 0 {
		a.note("Warning", "%s: %s more could not be read.", path, units.Plural(more, "line"))
	}
}
