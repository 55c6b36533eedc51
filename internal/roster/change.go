package roster

import (
	"errors"
	"slices"
	"time"

	"parley/internal/config"
)

// The reasons why a change is refused, as clauses.
var (
	ErrNameTaken = errors.New("another agent has that name")
	ErrUnknown   = errors.New("no agent of that name is saved")
)

// Save saves an agent under its name. It replaces the same agent under that name, and returns
// ErrNameTaken for another one.
func Save(a config.Agent) func(*Content) error {
	return func(c *Content) error {
		if why := a.Check(); why != "" {
			return errors.New(why)
		}
		i := find(c.Agents, a.Name)
		switch {
		case i < 0:
			c.Agents = append(c.Agents, a)
		case !config.Same(c.Agents[i].Ref, a.Ref):
			return ErrNameTaken
		default:
			a.Bearer, a.APIKey, a.Params = c.Agents[i].Bearer, c.Agents[i].APIKey, c.Agents[i].Params
			c.Agents[i] = a
		}
		c.forgetRecent(a.Ref)
		return nil
	}
}

// Rename gives an agent another name.
func Rename(from, to string) func(*Content) error {
	return func(c *Content) error {
		if why := config.CheckName(to); why != "" {
			return errors.New(why)
		}
		i, taken := find(c.Agents, from), find(c.Agents, to)
		switch {
		case i < 0:
			return ErrUnknown
		case taken >= 0 && taken != i:
			return ErrNameTaken
		}
		c.Agents[i].Name = to
		return nil
	}
}

// Forget removes an agent from the list. It becomes the newest recent one, so that its address
// is not lost.
func Forget(name string, now time.Time) func(*Content) error {
	return func(c *Content) error {
		i := find(c.Agents, name)
		if i < 0 {
			return ErrUnknown
		}
		gone := c.Agents[i]
		c.Agents = slices.Delete(c.Agents, i, i+1)
		return AddRecent(Recent{Ref: gone.Ref, Name: gone.Name, Time: now})(c)
	}
}

// AddRecent adds an agent to the recent ones, unless it has been saved meanwhile.
func AddRecent(r Recent) func(*Content) error {
	return func(c *Content) error {
		c.forgetRecent(r.Ref)
		saved := slices.ContainsFunc(c.Agents, func(a config.Agent) bool { return config.Same(a.Ref, r.Ref) })
		if memorable(r.Ref) && !saved {
			r.Time = r.Time.UTC().Truncate(time.Second)
			c.Recents = slices.Insert(c.Recents, 0, r)
		}
		return nil
	}
}

// ForgetRecent forgets that an agent was opened.
func ForgetRecent(ref string) func(*Content) error {
	return func(c *Content) error { c.forgetRecent(ref); return nil }
}

func (c *Content) forgetRecent(ref string) {
	c.Recents = slices.DeleteFunc(c.Recents, func(r Recent) bool { return config.Same(r.Ref, ref) })
}
