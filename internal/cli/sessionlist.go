package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/internal/units"
	"parley/session/catalog"
)

// listedSessions is how many sessions are listed: the newest.
const listedSessions = 20

// sessionList holds the flags of the list.
type sessionList struct {
	search string
	all    bool
	output string
}

// listSessions prints the files of the newest sessions, without reading them.
func (a *app) listSessions() error {
	c, list, err := a.sessions()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		a.noSessions(c)
		return nil
	}
	var p page
	for i := range list[:min(len(list), listedSessions)] {
		s := &list[i]
		p.add(s.Modified.Local().Format(time.DateTime), "  ", fmt.Sprintf("%9s", units.Bytes(s.Size)), "  ", shellWord(s.Path))
		if title := line(s.Title()); title != "" {
			p.add("  ", title)
		}
		p.add("\n")
	}
	if err := a.print(p.b.Bytes()); err != nil {
		return err
	}
	a.noteOlder(c, len(list)-listedSessions)
	a.note("Note", "parley open FILE shows one, and parley sessions what they contain.")
	return nil
}

func (a *app) noSessions(c *catalog.Catalog) {
	a.note("Note", "there are no recorded sessions in %s yet.", c.Dir())
}

func (a *app) noteOlder(c *catalog.Catalog, n int) {
	if n > 0 {
		a.note("Note", "%s are in %s.", units.Plural(n, "older session"), c.Dir())
	}
}

// showSessions prints what the sessions contain.
func (a *app) showSessions(f sessionList) error {
	if f.output != "text" && f.output != "json" {
		return usage("The value of --output is neither text nor json.")
	}
	c, list, err := a.sessions()
	switch {
	case err != nil:
		return err
	case len(list) == 0:
		a.noSessions(c)
		return nil
	case strings.TrimSpace(f.search) != "":
		return a.searchSessions(c, list, f.search)
	}
	older := 0
	if !f.all && !a.json {
		older = len(list) - listedSessions
		list = list[:min(len(list), listedSessions)]
	}
	if err := a.printSessions(c, list); err != nil {
		return err
	}
	a.noteOlder(c, older)
	return nil
}

// printSessions prints sessions in their order, each as soon as it and those before it were read.
func (a *app) printSessions(c *catalog.Catalog, list []catalog.Session) error {
	place := map[string]int{}
	for i := range list {
		place[list[i].Path] = i
	}
	printed := 0
	var failure error
	next := func() {
		for printed < len(list) && list[printed].Summary != nil && failure == nil {
			failure = a.printSession(&list[printed], nil)
			printed++
		}
	}
	next()
	c.Read(a.ctx, slices.Clone(list), func(s catalog.Session) {
		list[place[s.Path]] = s
		next()
	})
	return failure
}

// searchSessions prints the sessions that contain a text, in their name or in a record.
func (a *app) searchSessions(c *catalog.Catalog, list []catalog.Session, text string) error {
	var failure error
	found := 0
	show := func(s *catalog.Session, hits []catalog.Hit) {
		if found++; failure == nil {
			failure = a.printSession(s, hits)
		}
	}
	rest := list[:0:0]
	for i := range list {
		if list[i].Mentions(text) {
			show(&list[i], nil)
		} else {
			rest = append(rest, list[i])
		}
	}
	catalog.Search(a.ctx, rest, text, show)
	if found == 0 && failure == nil {
		a.note("Note", "no session in %s contains this text.", c.Dir())
	}
	return failure
}

// printSession prints one session with the places where a text was found in it.
func (a *app) printSession(s *catalog.Session, hits []catalog.Hit) error {
	if a.json {
		b, err := json.Marshal(describeSession(s, hits))
		if err != nil {
			return internal("The session %s cannot be written as JSON.", line(s.Name()))
		}
		return a.print(append(escapeUnsafe(b), '\n'))
	}
	var p page
	p.add(s.Began().Local().Format(time.DateTime), "  ", line(s.Name()), "  ", line(titleOf(s)), "\n")
	if facts := sessionFacts(s); len(facts) > 0 {
		p.add("  ", line(strings.Join(facts, " · ")), "\n")
	}
	for _, problem := range sessionProblems(s) {
		p.add("  ", line(problem), "\n")
	}
	if s.ContinuedIn != "" {
		p.add("  It goes on in ", line(s.ContinuedIn), ".\n")
	}
	if s.Annotations.Note != "" {
		p.add("  ", line(s.Annotations.Note), "\n")
	}
	for _, h := range hits {
		p.add("  record ", fmt.Sprint(h.Record), ": …", line(h.Excerpt), "…\n")
	}
	return a.print(p.b.Bytes())
}

// titleOf names a session for the user.
func titleOf(s *catalog.Session) string {
	if s.Summary == nil { // it was not read
		return s.Title()
	}
	return cmp.Or(s.Title(), "(nothing was asked)")
}

// sessionFacts lists what is known of a session, each in a few words.
func sessionFacts(s *catalog.Session) (facts []string) {
	for _, tag := range s.Annotations.Tags {
		facts = append(facts, "#"+tag)
	}
	if s.Annotations.Pinned {
		facts = append(facts, "pinned")
	}
	if s.Continues != "" {
		facts = append(facts, "continues "+s.Continues)
	}
	if s.Held {
		facts = append(facts, "in use")
	}
	if sum := s.Summary; sum != nil {
		if len(sum.Agents) > 0 {
			facts = append(facts, strings.Join(sum.Agents, ", "))
		}
		if tasks := sum.TaskWords(); tasks != "" {
			facts = append(facts, tasks)
		}
		if sum.Records > 0 {
			facts = append(facts, units.Duration(sum.Duration()), units.Plural(sum.Records, "record"))
		}
		if found := sum.FindingWords(); found != "" {
			facts = append(facts, found)
		}
	}
	return append(facts, units.Bytes(s.Size))
}

// sessionProblems lists the sentences about what is wrong with a session.
func sessionProblems(s *catalog.Session) (all []string) {
	if s.Summary != nil && s.Summary.Problem != "" {
		all = append(all, s.Summary.Problem)
	}
	if s.Interrupted() {
		all = append(all, "It was interrupted: the recording ends in the middle of "+units.Plural(s.Summary.Interrupted, "exchange")+".")
	}
	if s.AnnotationProblem != "" {
		all = append(all, s.AnnotationProblem+".")
	}
	return all
}

// describeSession is a session as JSON.
func describeSession(s *catalog.Session, hits []catalog.Hit) map[string]any {
	doc := map[string]any{"name": s.Name(), "file": s.Path, "began": s.Began().UTC(), "size": s.Size}
	add := func(name string, value any, there bool) {
		if there {
			doc[name] = value
		}
	}
	note := s.Annotations
	add("title", note.Title, note.Title != "")
	add("tags", note.Tags, len(note.Tags) > 0)
	add("note", note.Note, note.Note != "")
	add("pinned", true, note.Pinned)
	add("marks", note.Marks(), len(note.Marks()) > 0)
	add("recording", true, s.Held)
	add("interrupted", true, s.Interrupted())
	add("continues", s.Continues, s.Continues != "")
	add("continuedIn", s.ContinuedIn, s.ContinuedIn != "")
	if sum := s.Summary; sum != nil {
		add("agents", sum.Agents, len(sum.Agents) > 0)
		add("prompt", sum.Prompt, sum.Prompt != "")
		add("tasks", sum.Tasks, len(sum.Tasks) > 0)
		add("seconds", sum.Duration().Seconds(), true)
		add("records", sum.Records, true)
		add("findings", map[string]int{"errors": sum.Errors, "warnings": sum.Warnings, "infos": sum.Infos}, true)
	}
	problems := sessionProblems(s)
	add("problems", problems, len(problems) > 0)
	var places []map[string]any
	for _, h := range hits {
		places = append(places, map[string]any{"record": h.Record, "excerpt": h.Excerpt})
	}
	add("hits", places, len(places) > 0)
	return doc
}
