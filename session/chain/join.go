package chain

import (
	"cmp"
	"fmt"
	"slices"

	"parley/a2a"
)

// join finds the parent of a request.
func (j *Joiner) join(x *exchange) {
	if begun := j.tasks[taskKey{x.agent, x.subject()}]; begun != nil && x.subject() != "" && !x.gives() {
		x.follow(begun)
		return
	}
	tied, found := j.best(x)
	switch {
	case len(tied) == 1 && found.strength() > None:
		x.hop(tied[0], found, nil)
	case len(tied) > 1 && found.strength() > None:
		x.choose(tied, found)
	case len(tied) == 0 || found.strength() == None:
		j.joinByTime(x)
	}
	if begun := j.tasks[taskKey{x.agent, x.subject()}]; x.link.Parent == 0 && begun != nil && x.subject() != "" {
		x.follow(begun)
	}
	j.routes.learn(x, len(j.giving) == 0)
}

// subject returns the task that a request names.
func (x *exchange) subject() string {
	if x.gives() {
		return x.message.task
	}
	return x.task
}

// follow joins a request to the exchange that began its task.
func (x *exchange) follow(begun *exchange) {
	x.link = Link{
		Parent: begun.id, Follows: true, Strength: Sure,
		Evidence: []string{fmt.Sprintf("about task %s of #%d", short(begun.task), begun.id)},
	}
}

// hop joins a request to the exchange for which an agent sent it.
func (x *exchange) hop(p *exchange, found evidence, or []a2a.ExchangeID) {
	x.parent, x.depth, x.before = p, p.depth+1, p.events
	x.link = Link{Parent: p.id, Strength: found.strength(), Evidence: found.words(p, x), Or: or}
	if len(or) > 0 {
		x.link.Strength = min(x.link.Strength, Likely)
	}
}

// best returns the exchanges for which most speaks, and what that is for the first of them.
func (j *Joiner) best(x *exchange) (tied []*exchange, found evidence) {
	j.round++
	var all []*exchange
	for _, k := range wanted(x) {
		for _, p := range j.index[k] {
			if !j.eligible(p, x) {
				continue
			}
			if p.round != j.round {
				p.round, p.found = j.round, j.routes.evidence(p, x)
				all = append(all, p)
			}
			if k.by == byCredential && p.found&byClient == 0 {
				continue // a client uses its own credential for several agents
			}
			p.found |= k.by
		}
	}
	most := 0
	for _, p := range all {
		if x.from != "" && p.found&byTap == 0 { // the user said whose tap it is
			continue
		}
		switch w := p.found.weight(); {
		case len(tied) == 0 || w > most:
			tied, most = []*exchange{p}, w
		case w == most:
			tied = append(tied, p)
		}
	}
	if len(tied) > 0 {
		found = tied[0].found
	}
	return tied, found
}

// eligible reports whether an exchange can be the parent of a request. An agent that calls itself
// is not told from a client that calls it twice.
func (j *Joiner) eligible(p, x *exchange) bool {
	return p.agent != x.agent && p.depth < maxDepth && p.alive(x.start) && (x.from == "" || p.from != x.from)
}

// choose joins a request to one of several exchanges for which the same speaks, if they are within
// one of them. If each is within the one before and the request does not look like another one of
// the innermost one's client, that is the parent; otherwise the outermost one is, of which the
// request certainly is a descendant.
func (x *exchange) choose(tied []*exchange, found evidence) {
	slices.SortStableFunc(tied, func(a, b *exchange) int { return cmp.Or(a.depth-b.depth, cmp.Compare(a.id, b.id)) })
	var ids []a2a.ExchangeID
	within, nested := true, true
	for i, p := range tied {
		ids = append(ids, p.id)
		within = within && (i == 0 || p.under(tied[0]))
		nested = nested && (i == 0 || p.under(tied[i-1]))
	}
	switch inner := tied[len(tied)-1]; {
	case !within:
		x.link = Link{Or: ids, Evidence: []string{fmt.Sprintf("the same speaks for #%d as for #%d", ids[0], ids[1])}}
	case nested && inner.found&byClient != 0:
		x.hop(inner, inner.found, nil)
	default:
		x.hop(tied[0], found, ids[1:])
	}
}

// joinByTime joins a request to the only exchange that goes on, if nothing speaks against it.
func (j *Joiner) joinByTime(x *exchange) {
	if !x.gives() || x.from != "" || len(j.giving) > aloneMost {
		return
	}
	var only *exchange
	for _, p := range j.giving {
		if !p.alive(x.start) {
			continue
		}
		if only != nil {
			return // there are several
		}
		only = p
	}
	if only == nil || !j.eligible(only, x) || j.routes.evidence(only, x)&(byClient|asRoot) != byClient ||
		only.trace.trace != "" && x.trace.trace != "" && only.trace.trace != x.trace.trace {
		return
	}
	x.parent, x.depth, x.before = only, only.depth+1, only.events
	x.link = Link{Parent: only.id, Strength: Weak, Evidence: []string{fmt.Sprintf("nothing else but #%d was open", only.id)}}
}
