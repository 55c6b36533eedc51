package cli

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/units"
	"parley/session/annotation"
	"parley/session/catalog"
)

// sessionAndText is what a command takes that writes something about a session.
func sessionAndText(command string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < 2 {
			return usage("parley sessions %s takes a session and a text.", command)
		}
		return nil
	}
}

func (a *app) renameCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rename SESSION TITLE…",
		Short: "Give a session a title; with \"\", its first prompt names it again",
		Example: `  parley sessions rename 20261120-140207 "Refund fails"
  parley sessions rename run.jsonl Two replicas
  parley sessions rename 20261120-140207 ""`,
		Args: sessionAndText("rename"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.annotate(args[0], annotation.SetTitle(strings.Join(args[1:], " ")), func(name string, c annotation.Content) string {
				if c.Title == "" {
					return name + " has no title of its own any more."
				}
				return name + " is now called " + line(c.Title) + "."
			})
		},
	}
}

func (a *app) tagCommand() *cobra.Command {
	var remove []string
	c := &cobra.Command{
		Use:   "tag SESSION [TAG…]",
		Short: "Add tags to a session, or remove some",
		Example: `  parley sessions tag 20261120-140207 refund bug
  parley sessions tag 20261120-140207 --remove bug
  parley sessions --search refund`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 && len(remove) == 0 {
				return usage("parley sessions tag takes a session and tags, or --remove with a tag.")
			}
			if len(args) == 0 {
				return usage("parley sessions tag takes a session.")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return a.annotate(args[0], annotation.ChangeTags(args[1:], remove), func(name string, c annotation.Content) string {
				return name + " has the tags " + cmp.Or(line(strings.Join(c.Tags, ", ")), none) + "."
			})
		},
	}
	c.Flags().StringSliceVar(&remove, "remove", nil, "remove this `tag`; repeatable")
	return c
}

func (a *app) noteCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "note SESSION TEXT…",
		Short: "Write a note about a session; with \"\", it has none any more",
		Example: `  parley sessions note 20261120-140207 "Only behind the proxy"
  parley sessions note run.jsonl Seen by two of us
  parley sessions note 20261120-140207 ""`,
		Args: sessionAndText("note"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.annotate(args[0], annotation.SetNote(strings.Join(args[1:], " ")), func(name string, c annotation.Content) string {
				if c.Note == "" {
					return name + " has no note any more."
				}
				return name + " has the note: " + line(c.Note)
			})
		},
	}
}

func (a *app) pinCommand(use string, pinned bool) *cobra.Command {
	short, done := "Pin sessions: prune keeps them", " is pinned."
	if !pinned {
		short, done = "Pin sessions no longer", " is not pinned any more."
	}
	return &cobra.Command{
		Use: use + " SESSION…", Short: short, Example: fmt.Sprintf("  parley sessions %[1]s %[2]s\n  parley sessions %[1]s %[2]s 20261121-090000\n  parley sessions %[1]s run.jsonl", use, "20261120-140207"), Args: atLeastOneSession(use),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, word := range args {
				if err := a.annotate(word, annotation.SetPinned(pinned), func(name string, _ annotation.Content) string { return name + done }); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func atLeastOneSession(command string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usage("parley sessions %s takes one session or several.", command)
		}
		return nil
	}
}

// annotate changes the annotations of a session, and says what they are now.
func (a *app) annotate(word string, change func(*annotation.Content) error, say func(name string, c annotation.Content) string) error {
	path, err := a.named(word)
	if err != nil {
		return err
	}
	file := annotation.Open(path)
	before, problem := file.Load()
	var refused error // what the user wrote
	content, err := file.Update(func(c *annotation.Content) error {
		refused = change(c)
		return refused
	})
	switch {
	case refused != nil:
		return misnamed("%s was not changed: %s.", line(word), strings.TrimSuffix(line(refused.Error()), "."))
	case err != nil:
		return internal("%s cannot be changed: %s.", line(file.Path()), fileCause(err))
	}
	if problem != nil || len(before.Mistakes) > 0 {
		a.note("Warning", "%s was damaged; it was renamed to end in .broken-1 or higher, and a new one was written.", file.Path())
	}
	s := catalog.Session{Path: path}
	a.note("Note", "%s", say(line(s.Name()), content))
	return nil
}

func (a *app) deleteCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "delete SESSION…", Short: "Delete sessions with their annotations, after a question", Example: `  parley sessions delete 20261120-140207
  parley sessions delete 20261120-140207 20261121-090000
  parley sessions delete run.jsonl --yes`, Args: atLeastOneSession("delete"),
		RunE: func(_ *cobra.Command, args []string) error {
			var paths []string
			for _, word := range args {
				path, err := a.named(word)
				if err != nil {
					return err
				}
				paths = append(paths, path)
			}
			if !yes {
				if ok, err := a.confirm("Delete " + cmp.Or(onlyName(paths), units.Plural(len(paths), "session")) + " for ever?"); !ok {
					return err
				}
			}
			return a.deleteSessions(paths)
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

// onlyName returns the name of the only session, empty if there are several.
func onlyName(paths []string) string {
	if len(paths) != 1 {
		return ""
	}
	s := catalog.Session{Path: paths[0]}
	return line(s.Name())
}

// deleteSessions deletes all that can be deleted, and says which.
func (a *app) deleteSessions(paths []string) error {
	var failure error
	for _, path := range paths {
		s := catalog.Session{Path: path}
		if err := catalog.Delete(path); err != nil {
			failure = errors.Join(failure, fmt.Errorf("%s was not deleted: %s", line(s.Name()), line(err.Error())))
			continue
		}
		a.note("Note", "%s was deleted.", line(s.Name()))
	}
	if failure != nil {
		return misnamed("%s.", strings.ReplaceAll(failure.Error(), "\n", "; "))
	}
	return nil
}

// confirm asks a question, and reports whether the answer is yes. Without a terminal it fails.
func (a *app) confirm(question string) (bool, error) {
	if !isTerminal(a.streams.In) {
		return false, usage("Nothing was deleted: without a terminal, write --yes to delete without a question.")
	}
	fmt.Fprintf(a.streams.Err, "%s Write yes: ", question)
	answer, _ := bufio.NewReader(a.streams.In).ReadString('\n')
	if strings.EqualFold(strings.TrimSpace(answer), "yes") {
		return true, nil
	}
	a.note("Note", "nothing was deleted.")
	return false, nil
}

func (a *app) pruneCommand() *cobra.Command {
	var older string
	var keepPinned, dry bool
	c := &cobra.Command{
		Use:   "prune --older AGE",
		Short: "Delete the sessions that were last written before some time",
		Example: `  parley sessions prune --older 30d --dry-run
  parley sessions prune --older 12h
  parley sessions prune --older 4w --keep-pinned=false`,
		Args: argCount(0, "parley sessions prune takes no arguments."),
		RunE: func(*cobra.Command, []string) error {
			age, ok := parseAge(cmp.Or(older, a.settings.KeepSessions))
			switch {
			case older == "" && a.settings.KeepSessions == "":
				return usage("Say from which age on sessions are deleted, as in --older 30d, or set sessions.keep in config.toml.")
			case !ok:
				return usage("The value of --older is no age such as 30d, 4w or 12h.")
			}
			_, list, err := a.sessions()
			if err != nil {
				return err
			}
			return a.prune(catalog.Old(list, now().Add(-age), keepPinned), dry)
		},
	}
	c.Flags().StringVar(&older, "older", "", "delete what is older than this `age`: days, weeks or hours, as in 30d, 4w and 12h (default: sessions.keep of config.toml)")
	c.Flags().BoolVar(&keepPinned, "keep-pinned", true, "keep the pinned sessions; --keep-pinned=false deletes them too")
	c.Flags().BoolVar(&dry, "dry-run", false, "only say what would be deleted")
	return c
}

// prune deletes sessions, or says which it would delete.
func (a *app) prune(old []catalog.Session, dry bool) error {
	var size int64
	var paths []string
	for i := range old {
		size += old[i].Size
		paths = append(paths, old[i].Path)
		if dry {
			a.note("Note", "%s (%s) would be deleted.", old[i].Name(), units.Bytes(old[i].Size))
		}
	}
	what := units.Plural(len(old), "session") + " (" + units.Bytes(size) + ")"
	switch {
	case len(old) == 0:
		a.note("Note", "no session is old enough to be deleted.")
		return nil
	case dry:
		a.note("Note", "%s would be deleted; nothing was.", what)
		return nil
	}
	if err := a.deleteSessions(paths); err != nil {
		return err
	}
	a.note("Note", "%s in all.", what)
	return nil
}
