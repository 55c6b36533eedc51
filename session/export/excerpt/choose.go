package excerpt

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/visible"
	"parley/session/filter"
	"parley/session/model"
)

// A Choice says what of a session is exported. The zero value is all of it.
type Choice struct {
	// Conversation is the number of a conversation, its context or its name, or the beginning
	// of one of these.
	Conversation string
	// Filter lists records in the language of package filter.
	Filter string
	// Marked reports whether the user marked a record; nil if nothing is marked.
	Marked func(a2a.RecordID) bool
	// Comment returns what the user wrote about a record, empty if nothing; nil if nothing is
	// written about any.
	Comment func(a2a.RecordID) string
}

// Choose selects an excerpt of a session. The error is a sentence.
func Choose(s *model.State, name string, c Choice) (*Excerpt, error) {
	p := &Excerpt{State: s, Name: name, Filter: c.Filter, marked: c.Marked, comment: c.Comment, all: c.Conversation == "" && c.Filter == ""}
	agents := Agents(s)
	for _, a := range agents {
		p.Conversations = append(p.Conversations, a.Conversations...)
	}
	slices.SortFunc(p.Conversations, func(x, y *model.Conversation) int { return cmp.Compare(x.ID, y.ID) })
	var only *model.Conversation
	if c.Conversation != "" {
		conv, err := find(p.Conversations, c.Conversation)
		if err != nil {
			return nil, err
		}
		only, p.One, p.Conversations = conv, true, []*model.Conversation{conv}
	}
	if p.all {
		return p, nil
	}
	set, err := filter.Parse(c.Filter)
	if err != nil {
		return nil, fmt.Errorf("the filter is wrong: %s", visible.Line(err.Error()))
	}
	env, gaps := environment(s, set), filter.NewGaps()
	env.Marked, env.Gap = c.Marked, gaps.Of
	owners := map[a2a.ConversationID]bool{}
	items := s.Log.View().Scan()
	for id := a2a.RecordID(1); int(id) <= s.Log.Len(); id++ {
		it, owner := items.At(id), s.Log.Owner(id).Conversation
		gaps.Add(&it.Record, s.Log.Stream(it.Record.Exchange))
		if only != nil && owner != only.ID || !set.Match(it, env) {
			continue
		}
		p.records = append(p.records, id)
		owners[owner] = true
	}
	if c.Filter != "" {
		p.Conversations = slices.DeleteFunc(p.Conversations, func(conv *model.Conversation) bool { return !owners[conv.ID] })
	}
	return p, nil
}

// Agents returns the agents of a session, also those that were closed.
func Agents(s *model.State) []*model.Agent {
	seen := map[a2a.AgentID]*model.Agent{}
	for id := a2a.RecordID(1); int(id) <= s.Log.Len(); id++ {
		owner := s.Log.Owner(id).Agent
		if _, known := seen[owner]; !known {
			seen[owner] = s.Agent(owner)
		}
	}
	var all []*model.Agent
	for _, a := range seen {
		if a != nil {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(x, y *model.Agent) int { return cmp.Compare(x.ID, y.ID) })
	return all
}

// find returns the conversation that a user names.
func find(all []*model.Conversation, word string) (*model.Conversation, error) {
	word = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(word, "#")))
	for _, fits := range []func(*model.Conversation) bool{
		func(c *model.Conversation) bool { return strconv.FormatUint(uint64(c.ID), 10) == word },
		func(c *model.Conversation) bool {
			return strings.EqualFold(c.ContextID, word) || strings.EqualFold(c.Name(), word)
		},
		func(c *model.Conversation) bool {
			return strings.HasPrefix(strings.ToLower(c.ContextID), word) || strings.HasPrefix(strings.ToLower(c.Name()), word)
		},
		func(c *model.Conversation) bool { return strings.Contains(strings.ToLower(c.Name()), word) },
	} {
		hits := slices.DeleteFunc(slices.Clone(all), func(c *model.Conversation) bool { return !fits(c) })
		switch {
		case len(hits) == 1:
			return hits[0], nil
		case len(hits) > 1:
			return nil, fmt.Errorf("several conversations have that name: choose one by its number: %s", listed(hits))
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the session has no conversation")
	}
	return nil, fmt.Errorf("the session has no such conversation: it has %s", listed(all))
}

// listed lists conversations with their numbers: at most a few.
func listed(all []*model.Conversation) string {
	const most = 8
	var words []string
	for _, c := range all[:min(len(all), most)] {
		words = append(words, fmt.Sprintf("%d (%s)", c.ID, cmp.Or(visible.Line(c.Name()), "without a message")))
	}
	if more := len(all) - most; more > 0 {
		words = append(words, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(words, ", ")
}

// environment returns what a filter needs to know of a whole session.
func environment(s *model.State, set *filter.Filter) *filter.Env {
	env := &filter.Env{Muted: s.Log.Findings().Muted, Agent: func(id a2a.AgentID) string {
		if a := s.Agent(id); a != nil {
			return a.Name()
		}
		return ""
	}}
	if n := s.Log.Len(); n > 0 {
		env.Start, env.End = s.Log.TimeOf(1), s.Log.TimeOf(a2a.RecordID(n))
	}
	if set.Uses()&filter.UsesTasks != 0 {
		about := subjects(s)
		env.About = func(x a2a.ExchangeID) filter.About { return about[x] }
	}
	env.Longest = filter.LongestIn(s.Log)
	return env
}

// subjects returns the subject of every exchange.
func subjects(s *model.State) map[a2a.ExchangeID]filter.About {
	about := map[a2a.ExchangeID]filter.About{}
	items := s.Log.View().Scan()
	for id := a2a.RecordID(1); int(id) <= s.Log.Len(); id++ {
		it := items.At(id)
		if it == nil || it.Record.Exchange == 0 || about[it.Record.Exchange].Task != "" {
			continue
		}
		if a := filter.AboutOf(it); a != (filter.About{}) {
			about[it.Record.Exchange] = a
		}
	}
	return about
}
