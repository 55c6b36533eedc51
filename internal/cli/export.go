package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/internal/units"
	"parley/session/annotation"
	"parley/session/chain"
	"parley/session/export"
	"parley/session/export/excerpt"
	"parley/session/export/redact"
	"parley/session/log"
	"parley/ui"
	"parley/ui/cast"
)

// exportFlags are the flags of parley export.
type exportFlags struct {
	as     string
	out    string
	force  bool
	redact []string
	choice excerpt.Choice
	maxGap time.Duration // of an asciicast
}

// exportCommand writes a recorded session in another format.
func (a *app) exportCommand() *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:     "export SESSION",
		Short:   "Write a recorded session, or a part of it, in another format",
		Long:    "Write a recorded session, one of its conversations or the records of a filter\nin another format. SESSION is its name in parley sessions, the beginning of the\nname, or a file.\n\nFormats:\n" + formatList(),
		Example: "  parley export session.jsonl --as html\n  parley export session.jsonl --as md --conversation 2 -o -\n  parley export session.jsonl --as har --filter 'agent:\"Travel Desk\"'",
		Args:    argCount(1, "parley export takes one session: parley sessions lists them."),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.onSession(args[0], func(path string) error { return a.export(path, f) })
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.as, "as", "", "`format`: "+strings.Join(formatNames(), ", ")+" (default: that of the name after -o)")
	fs.StringVarP(&f.out, "out", "o", "", "write to this `FILE`, - for standard output (default: the name of the session, in this folder)")
	fs.DurationVar(&f.maxGap, "max-gap", defaultGap, "the longest pause of an asciicast; 0 leaves pauses as they were")
	var theme string // loadTheme reads it
	themeFlag(fs, &theme)
	fs.Lookup("theme").Usage = "colours of an asciicast: the `NAME` of a theme that parley themes lists; auto is dark"
	fs.BoolVar(&f.force, "force", false, "replace an existing file")
	fs.StringVar(&f.choice.Conversation, "conversation", "", "only the `conversation` with this number, name or context")
	fs.StringVar(&f.choice.Filter, "filter", "", "only the records that this `filter` lists, in the language of the wire pane")
	fs.StringArrayVar(&f.redact, "redact", nil, "mask what this regular expression (`pattern`) matches; repeatable")
	return c
}

// defaultGap is the longest pause of an asciicast.
const defaultGap = 2 * time.Second

// formats returns the formats of an export.
func formats(gap time.Duration, theme ui.Theme) []export.Format {
	if theme.Name == "" || theme.Name == autoTheme { // an export has no background that could choose
		theme.Name = "dark"
	}
	return append(export.Formats(), cast.Format(cast.Options{Theme: theme, MaxGap: gap}))
}

func formatNames() (names []string) {
	for _, f := range formats(0, ui.Theme{}) {
		names = append(names, f.Name)
	}
	return names
}

// formatList describes the formats, one per line.
func formatList() string {
	var b strings.Builder
	for _, f := range formats(0, ui.Theme{}) {
		b.WriteString("  " + f.Name + strings.Repeat(" ", max(11-len(f.Name), 1)) + f.About + "\n")
	}
	return b.String()
}

// format returns the format that the flags name.
func (f *exportFlags) format(theme ui.Theme) (export.Format, error) {
	if f.as == "" {
		if format, known := export.ByFile(formats(f.maxGap, theme), f.out); known {
			return format, nil
		}
		return export.Format{}, usage("No format was named: --as takes %s.", strings.Join(formatNames(), ", "))
	}
	format, known := export.ByName(formats(f.maxGap, theme), f.as)
	if !known {
		return export.Format{}, usage("There is no format %q: --as takes %s.", line(f.as), strings.Join(formatNames(), ", "))
	}
	return format, nil
}

// export writes a part of a session.
func (a *app) export(path string, f exportFlags) error {
	format, err := f.format(a.theme)
	if err != nil {
		return err
	}
	patterns, err := redact.Compile(f.redact)
	if err != nil {
		return usage("%s.", sentence(err.Error()))
	}
	out := f.out
	name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	if out == "" {
		out = exportName(name, f, format)
	}
	if sameFile(path, out) {
		return usage("%s is the session itself: name another file after -o.", line(out))
	}
	if _, err := os.Lstat(out); err == nil && out != "-" && !f.force { // before the work
		return misnamed("%s already exists and was not changed: name another file after -o, or use --force to replace it.", line(out))
	}
	progress := a.newProgress()
	defer progress.erase()
	defer a.env.collectEarly()()
	source := export.Source{
		Path: path, Redact: patterns, Formats: map[a2a.Binding]a2a.Format{a2a.BindingGRPC: grpc.NewFormat()},
		Report: func(read, size int64) { progress.show("reading", read, size) },
	}
	if format.Findings || f.choice.Filter != "" {
		source.Rules = func() log.Checker { return chain.NewChecker() }
	}
	state, faults, err := export.Read(a.ctx, source)
	if err != nil {
		progress.erase()
		return a.exportFault(err, func(err error) error { return notOpened(path, err) })
	}
	title := a.annotations(path, patterns, &f.choice)
	chosen, err := excerpt.Choose(state, cmp.Or(title, name), f.choice)
	if err != nil {
		progress.erase()
		return usage("%s.", sentence(err.Error()))
	}
	write := func(w io.Writer) error {
		return format.Write(a.ctx, w, chosen, func(done, total int) { progress.show("writing", int64(done), int64(total)) })
	}
	if out == "-" {
		err = write(&pipe{w: a.streams.Out})
	} else {
		err = export.Save(out, f.force, write)
	}
	progress.erase()
	if err != nil {
		return a.exportFault(err, notSaved)
	}
	a.noteExport(chosen, out, faults)
	return nil
}

// collectEarly has the garbage collector run more often, because a session may be large, until the
// function that it returns is called.
func (e environment) collectEarly() (end func()) {
	if e.get("GOGC") != "" {
		return func() {}
	}
	const growth = 25
	usual := debug.SetGCPercent(growth)
	return func() { debug.SetGCPercent(usual) }
}

// annotations adds the marks and comments of the user to a choice, and returns the title of the
// session, empty without one.
func (a *app) annotations(path string, patterns *redact.Patterns, choice *excerpt.Choice) string {
	content, err := annotation.Open(path).Load()
	if err != nil {
		a.note("Warning", "The marks and comments of the session are not exported: %s.", err)
		return ""
	}
	choice.Marked = func(id a2a.RecordID) bool { return content.Remarks[id].Marked }
	choice.Comment = func(id a2a.RecordID) string { return patterns.Text(content.Remarks[id].Comment) }
	return patterns.Text(content.Title)
}

// noteExport says what was written, and what of the session could not be read.
func (a *app) noteExport(p *excerpt.Excerpt, out string, faults []string) {
	const most = 3
	for _, fault := range faults[:min(len(faults), most)] {
		a.note("Warning", "%s", fault)
	}
	if more := len(faults) - most; more > 0 {
		a.note("Warning", "%s more of the file could not be read.", units.Plural(more, "line"))
	}
	if p.Len() == 0 {
		a.note("Warning", "the chosen part of the session contains no record.")
	}
	if out == "-" {
		return
	}
	if info, err := os.Stat(out); err == nil {
		a.note("Saved", "%s of %s in %s", units.Bytes(info.Size()), units.Plural(p.Len(), "record"), out)
	}
}

// exportFault turns an error into the failure of the command, with otherwise if it is neither that
// of a command nor the user's.
func (a *app) exportFault(err error, otherwise func(error) error) error {
	if errors.Is(err, context.Canceled) {
		return internal("The export was stopped: nothing was written.")
	}
	if f, ok := errors.AsType[*fault](err); ok {
		return f
	}
	return otherwise(err)
}

// notSaved says why the new file was not written.
func notSaved(err error) error {
	if _, ok := errors.AsType[*export.NameError](err); ok {
		return misnamed("%s.", err)
	}
	return internal("%s.", causeOf(err))
}

// exportName returns the name of the new file in the working directory.
func exportName(session string, f exportFlags, format export.Format) string {
	switch {
	case f.choice.Filter != "":
		session += "-excerpt"
	case f.choice.Conversation != "":
		session += "-conversation"
	case format.Ending == ".jsonl":
		session += "-copy"
	}
	return session + format.Ending
}

// sameFile reports whether two names are those of one file.
func sameFile(x, y string) bool {
	a, errA := os.Stat(x)
	b, errB := os.Stat(y)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// A pipe is standard output. Its error is a failure of the command.
type pipe struct{ w io.Writer }

func (p *pipe) Write(b []byte) (int, error) {
	n, err := p.w.Write(b)
	if err != nil {
		return n, writeFault(err)
	}
	return n, nil
}
