package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/history"
	"parley/internal/outlet"
	"parley/internal/roster"
	"parley/internal/signature"
	"parley/internal/trust"
	"parley/session/card"
	"parley/session/journal"
	"parley/session/problem"
)

// storage is where the workbench saves what outlives a run: the journal of the session, the
// messages that were written, and the agents that were saved or opened. None of it is required:
// a part without a folder is nil or has a problem, and the losses report it.
type storage struct {
	journal *journal.Journal
	history *history.File
	roster  *roster.File
	cards   *roster.Cards // the cards of earlier runs
	// approved are the cards that the user has approved, nil without a folder.
	approved *trust.File
	remedy   string // how held cards are approved, empty where /trust does it

	historyProblem, rosterProblem error

	losses []loss // that are reported to the user
}

// A loss is something that is not stored or not read, and why.
type loss struct{ what, why string }

// The names of possible losses in a sentence.
const (
	lossOfSession  = "this session"
	lossOfMessages = "the messages you write"
	lossOfAgents   = "the agents you save"
	lossOfCards    = "the card of each agent"
)

// openStorage opens all that can be opened. Only a journal that the command line asks for is an
// error if it cannot be written, because it is the user's purpose then.
func (a *app) openStorage(w workbench) (*storage, error) {
	s := &storage{}
	if w.play != nil && w.play.off {
		s.remedy = approvedElsewhere
	}
	sessions, err := journal.SessionsDir(runtime.GOOS, a.env.get)
	if err == nil {
		folder := filepath.Dir(sessions)
		s.roster = a.roster()
		s.openCards(a, w)
		if !w.noRecord {
			s.history = history.Open(filepath.Join(folder, "history.jsonl"))
		}
		err = tryFolder(folder)
	}
	record := w.record
	if record.path == "" && err == nil {
		record.path = filepath.Join(sessions, journal.FileName(now(), newID()))
	}
	switch {
	case w.noRecord, w.later:
	case record.path == "":
		s.lose(err, lossOfSession)
	default:
		var failure error
		s.journal, failure = record.create(func(path string) (*journal.Journal, error) {
			return journal.Create(path, journal.Options{MaxBytes: w.limits.Of(a2a.LimitRecording), RemoveEmpty: w.record.path == "", Now: now})
		})
		if failure != nil && a.net.fromFlags["record"] {
			return nil, failure
		}
		if failure != nil {
			s.lose(failure, lossOfSession)
		}
	}
	s.checkFiles(err, w.noRecord)
	return s, nil
}

// openCards opens what is kept of the cards of agents.
func (s *storage) openCards(a *app, w workbench) {
	s.cards = a.cardFolder()
	if s.approved = a.baselines(); w.embedded {
		s.approved = nil // these agents change with each run
	} else if s.approved != nil {
		s.approved.ReadOnly = w.noRecord
	}
}

// checkFiles determines how the files besides the journal can be used. If their folder has a
// problem they cannot be written, but existing ones can still be read.
func (s *storage) checkFiles(folder error, noRecord bool) {
	if folder != nil {
		s.historyProblem, s.rosterProblem = folder, folder
		if !noRecord {
			s.lose(folder, lossOfMessages)
		}
		s.lose(folder, lossOfAgents)
		return
	}
	if s.cards != nil && !noRecord {
		if err := tryFolder(s.cards.Dir()); err != nil {
			s.lose(err, lossOfCards)
		}
	}
	if s.history != nil {
		if s.historyProblem = s.history.Check(); s.historyProblem != nil {
			s.lose(unusable(s.history.Path(), s.historyProblem), lossOfMessages)
		}
	}
	if _, s.rosterProblem = s.roster.Load(); s.rosterProblem != nil {
		s.lose(unusable(s.roster.Path(), s.rosterProblem), lossOfAgents)
	}
}

// sinceLastRun returns a function that compares cards with those of earlier runs, nil if this
// run saves nothing. Agents inside the program change with each run.
func (s *storage) sinceLastRun(w workbench) func(string, int, card.Snapshot) ([]card.Change, time.Time) {
	if s.cards == nil || w.noRecord || w.embedded {
		return nil
	}
	return (&cardMemory{cards: s.cards, now: now}).compare
}

// hold returns a function that says which agents are not used before the user approves their
// cards, nil if none is compared.
func (s *storage) hold(keys func() *signature.Keys) func(string, int, *a2a.Card) string {
	if s.approved == nil {
		return nil
	}
	return (&keptCards{s.approved, keys, s.remedy}).hold
}

// lose notes that something is not stored.
func (s *storage) lose(why error, what string) {
	s.losses = append(s.losses, loss{what: what, why: why.Error()})
}

// warning says in one sentence what is not stored, and where; empty if all is.
func (s *storage) warning() string {
	var clauses []string
	for left := slices.Clone(s.losses); len(left) > 0; {
		why := left[0].why
		var what []string
		left = slices.DeleteFunc(left, func(l loss) bool {
			if l.why == why {
				what = append(what, l.what)
			}
			return l.why == why
		})
		verb := "are"
		if len(what) == 1 && (what[0] == lossOfSession || what[0] == lossOfCards) {
			verb = "is"
		}
		clauses = append(clauses, problem.JoinWords(what)+" "+verb+" not stored: "+why)
	}
	return sentence(strings.Join(clauses, "; "))
}

// tryFolder creates a folder if necessary, and writes to it. The error is a clause that names
// the folder and says what to do.
func tryFolder(dir string) error {
	fail := func(done string, err error) error {
		return fmt.Errorf("the folder %s cannot be %s (%s); set XDG_STATE_HOME to a folder that can be written, or use --record FILE", dir, done, causeOf(err))
	}
	if err := outlet.PrivateFolder(dir); err != nil {
		return fail("created", err)
	}
	if err := outlet.Try(dir); err != nil {
		return fail("written to", err)
	}
	return nil
}

// unusable says in a clause that a file cannot be used, and what to do.
func unusable(path string, err error) error {
	if errors.Is(err, roster.ErrUnreadable) {
		return fmt.Errorf("%s is not used (%w); repair it, or save an agent: then Parley renames the file", path, err)
	}
	return fmt.Errorf("%s cannot be used (%s); make it a file that you may read and write", path, causeOf(err))
}

// causeOf returns what went wrong with a file, without the operation and the path: the sentence
// around it names them.
func causeOf(err error) string {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err.Error()
	}
	return err.Error()
}
