package cards

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/signature"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/card"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/menu"
)

// verify judges the signatures of an agent's card outside of Update, once for each card: a
// hostile one has many of them.
func (c *Controller) verify(a *model.Agent) tea.Cmd {
	if a == nil || a.Card == nil || len(a.Card.Signatures) == 0 || c.verified[a.ID] == a.Card {
		return nil
	}
	c.verified[a.ID] = a.Card
	id, of, trusted, ref, index := a.ID, a.Card, c.trusted.Clone(), a.Ref, a.Index
	return func() tea.Msg {
		results := signature.Verify(of.Raw, of.Signatures, trusted)
		if best, _ := signature.Best(results); best.Verdict == signature.Broken {
			signature.NameDifference(results, c.actions.Differs(ref, index, of))
		}
		return control.DoneMsg(func() tea.Cmd { return c.judged(id, of, results) })
	}
}

// judged shows the results for a card, unless the agent has another one meanwhile.
func (c *Controller) judged(id a2a.AgentID, of *a2a.Card, results []signature.Result) tea.Cmd {
	if a := c.host.State().Agent(id); a == nil || a.Card != of {
		return nil
	}
	c.pane.SetSignatures(of, results)
	c.host.Touch()
	best, _ := signature.Best(results)
	c.best[of] = best
	if best.Verdict == signature.Broken {
		return c.host.Say("The signature of the card of "+c.host.AgentName(id)+" is broken: "+keys.Name(c.host.Key(action.ShowCard))+" shows why.", true)
	}
	return nil
}

// Signature returns the best result on the signatures of a card, false if they were not verified
// yet.
func (c *Controller) Signature(of *a2a.Card) (signature.Result, bool) {
	best, known := c.best[of]
	return best, known
}

// Keys returns a copy of the keys that the user trusts to sign cards.
func (c *Controller) Keys() *signature.Keys { return c.trusted.Clone() }

// askKeys offers to download the keys from the addresses that the signatures name. Whoever
// wrote the card chose these, so nothing is contacted before the user agrees.
func (c *Controller) askKeys(in card.DownloadKeys) tea.Cmd {
	a := c.host.State().Agent(in.Agent)
	if a == nil || a.Card == nil {
		return nil
	}
	var items []menu.Item
	for _, r := range in.Results {
		if r.KeyURL == "" || len(items) == 9 || slices.ContainsFunc(items, func(i menu.Item) bool { return i.Note == r.KeyURL }) {
			continue
		}
		item := menu.Item{Key: string(rune('1' + len(items))), Name: "download keys from " + c.links.Host(r.KeyURL), Note: r.KeyURL, Why: c.host.Refusal()}
		if why := signature.CheckKeyURL(r.KeyURL); why != "" && item.Why == "" {
			item.Why = "Keys are not downloaded from there: " + why + "."
		}
		item.Value = control.Action(func() tea.Cmd { return c.downloadKeys(in.Agent, r.KeyURL) })
		items = append(items, item)
	}
	if len(items) == 0 {
		return c.host.Say("The signatures name no address of their keys: start Parley with --card-key FILE.", true)
	}
	c.host.Menu("trust the keys of "+a.Name(), "the card itself names their address", items)
	return nil
}

// downloadKeys gets a key set.
func (c *Controller) downloadKeys(id a2a.AgentID, address string) tea.Cmd {
	turn := c.host.Engine().DownloadFile(id, address)
	c.downloads[turn] = keySet{agent: id, address: address}
	return c.host.SayUntil("downloading keys from "+c.links.Host(address), false, func() bool { _, runs := c.downloads[turn]; return !runs })
}

// onSignal trusts the keys that were downloaded, and judges the card again.
func (c *Controller) onSignal(s *log.Signal) tea.Cmd {
	set, ours := c.downloads[s.Turn]
	if !ours || s.Kind != log.SignalTurnOver {
		return nil
	}
	delete(c.downloads, s.Turn)
	a := c.host.State().Agent(set.agent)
	if s.Sentence != "" || a == nil { // the sentence was reported already
		return nil
	}
	file := a.File(set.address)
	if file == nil {
		return c.host.Say("The keys were not returned, although nothing failed: the wire pane shows the answer.", true)
	}
	trusted := c.trusted.Clone()
	if err := trusted.Add(set.address, file.Data); err != nil {
		return c.host.Say("The keys cannot be used: "+err.Error()+".", true)
	}
	c.trusted = trusted
	if c.actions.Trust != nil {
		c.actions.Trust(trusted)
	}
	clear(c.verified)
	return c.verify(a)
}
