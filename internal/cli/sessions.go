package cli

import (
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/internal/units"
	"parley/session/catalog"
	"parley/session/chain"
	"parley/session/journal"
	"parley/session/log"
)

// sessionsCommand lists the recorded sessions, and contains the commands that change one.
func (a *app) sessionsCommand() *cobra.Command {
	var f sessionList
	c := &cobra.Command{
		Use:   "sessions",
		Short: "List the recorded sessions, search, annotate and delete them",
		Long: `List the recorded sessions, the newest first: when, with which agents, what was
asked, and what came of it. A SESSION is the name in the list or its beginning,
or a file.`,
		Example: `  parley sessions --search "refund"
  parley sessions rename 20261120-140207 "Refund fails"
  parley sessions prune --older 30d --dry-run`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			return nil
		},
		SuggestionsMinimumDistance: 2,
		RunE:                       func(*cobra.Command, []string) error { return a.showSessions(f) },
	}
	c.Flags().StringVar(&f.search, "search", "", "list only the sessions in which this `text` occurs, with the places")
	c.Flags().BoolVar(&f.all, "all", false, "list all sessions, not only the newest "+strconv.Itoa(listedSessions))
	c.Flags().StringVarP(&f.output, "output", "o", "text", "`format` of the output: text or json")
	c.AddCommand(a.renameCommand(), a.tagCommand(), a.noteCommand(), a.pinCommand("pin", true), a.pinCommand("unpin", false), a.deleteCommand(), a.pruneCommand())
	return c
}

// catalog returns the catalog of the recorded sessions.
func (a *app) catalog() (*catalog.Catalog, error) {
	dir, err := journal.SessionsDir(runtime.GOOS, a.env.get)
	if err != nil {
		return nil, usage("%s.", sentence(err.Error()))
	}
	return catalog.Open(dir, catalogOptions()), nil
}

func catalogOptions() catalog.Options {
	return catalog.Options{
		Rules:   func() log.Checker { return chain.NewChecker() },
		Formats: map[a2a.Binding]a2a.Format{a2a.BindingGRPC: grpc.NewFormat()},
	}
}

// sessions lists the recorded sessions.
func (a *app) sessions() (*catalog.Catalog, []catalog.Session, error) {
	c, err := a.catalog()
	if err != nil {
		return nil, nil, err
	}
	list, err := c.List()
	if err != nil {
		return nil, nil, internal("The sessions in %s cannot be listed: %s.", line(c.Dir()), sentence(causeOf(err)))
	}
	return c, list, nil
}

// parseAge reads an age: a number of days or weeks, such as 30d and 4w, or a duration of Go.
func parseAge(s string) (time.Duration, bool) {
	const day = 24 * time.Hour
	for unit, length := range map[string]time.Duration{"d": day, "w": 7 * day} {
		if digits, ok := strings.CutSuffix(s, unit); ok {
			const most = 100 * 365 // more is a mistake, and could overflow
			n, err := strconv.Atoi(digits)
			return time.Duration(n) * length, err == nil && 0 <= n && n <= most
		}
	}
	age, err := time.ParseDuration(s)
	return age, err == nil && age >= 0
}

// manyBytes is the size of all sessions from which the start says it.
const manyBytes = 5 << 30

// noteSize says in one line if the recorded sessions take much space. It deletes none.
func (a *app) noteSize() {
	dir, err := journal.SessionsDir(runtime.GOOS, a.env.get)
	if err != nil {
		return
	}
	size := catalog.Size(dir)
	if size <= manyBytes {
		return
	}
	command := "parley sessions prune --older 30d"
	if a.settings.KeepSessions != "" { // the default of --older
		command = "parley sessions prune"
	}
	a.mildly("the recorded sessions take %s; %s deletes the old ones that are not pinned", units.Bytes(size), command)
}
