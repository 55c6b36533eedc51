package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/internal/config"
	"parley/internal/roster"
	"parley/internal/trust"
)

// agentsCommand lists the agents that are known by name, and contains the commands that change
// the list.
func (a *app) agentsCommand() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "agents",
		Short: "List the saved and the recent agents, save and forget them",
		Long: `List the agents that config.toml names, those that were saved, and those that
were opened last. Nobody is contacted. Every command takes the name of an agent
in place of its address.`,
		Example: `  parley agents
  parley agents save "Desk staging" https://desk.example
  parley agents forget "Desk staging"`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			return nil
		},
		SuggestionsMinimumDistance: 2,
		RunE:                       func(*cobra.Command, []string) error { return a.listAgents(output) },
	}
	c.Flags().StringVarP(&output, "output", "o", "text", "`format` of the output: text or json")
	c.AddCommand(a.agentSaveCommand(), a.agentRenameCommand(), a.agentForgetCommand())
	return c
}

// A listedAgent is one agent of the list.
type listedAgent struct {
	Name   string `json:"name"`
	Ref    string `json:"ref"`
	Source string `json:"source"` // where it is saved: a file, or "recent"
	Opened string `json:"opened,omitempty"`
}

// listAgents prints the agents.
func (a *app) listAgents(output string) error {
	if output != "text" && output != "json" {
		return usage("The value of --output is neither text nor json.")
	}
	list := []listedAgent{}
	for _, agent := range a.namedAgents() {
		list = append(list, listedAgent{Name: agent.Name, Ref: a2a.MaskReference(agent.Ref), Source: agent.Place})
	}
	if file := a.roster(); file != nil {
		for _, r := range file.Content().Recents {
			list = append(list, listedAgent{Name: r.Name, Ref: a2a.MaskReference(r.Ref), Source: "recent", Opened: r.Time.Format(time.RFC3339)})
		}
	}
	if a.json {
		raw, err := json.Marshal(list)
		if err == nil {
			raw, err = indent(raw)
		}
		if err != nil {
			return internal("The agents cannot be written as JSON.")
		}
		return a.print(append(raw, '\n'))
	}
	if len(list) == 0 {
		a.note("Note", "no agent was saved or opened yet: parley agents save NAME REF saves one.")
	}
	var p page
	for _, l := range list {
		if l.Opened != "" {
			p.field("Recent", fmt.Sprintf("%s, %s, opened %s", line(l.Name), line(l.Ref), l.Opened))
			continue
		}
		p.field("Agent", fmt.Sprintf("%s, %s, %s", line(l.Name), line(l.Ref), line(l.Source)))
	}
	return a.print(p.b.Bytes())
}

func (a *app) agentSaveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "save NAME REF",
		Short: "Save an agent under a name",
		Example: `  parley agents save Desk localhost:9999
  parley agents save "Desk staging" https://desk.example
  parley agents save Clerk ./cards/clerk.json`,
		Args: argCount(2, "parley agents save takes a name and a reference: a URL, a host or a card file."),
		RunE: func(_ *cobra.Command, args []string) error {
			name, ref := args[0], args[1]
			if err := a.unsavable(name, ref); err != nil {
				return err
			}
			saved := config.Agent{Name: name, Ref: trust.WholePath(ref)} // a file is opened from other folders too
			return a.changeAgents(roster.Save(saved), fmt.Sprintf("%s is saved: parley %s opens it.", line(name), shellWord(name)))
		},
	}
}

// unsavable says why an agent cannot be saved, nil if it can.
func (a *app) unsavable(name, ref string) error {
	if why := config.CheckName(name); why != "" {
		return usage("The agent cannot be saved: %s.", why)
	}
	for _, written := range a.settings.Agents {
		if strings.EqualFold(written.Name, name) {
			return usage("The agent %s is in %s, your own file: change it there.", line(name), line(written.Place))
		}
	}
	if !a2a.LooksLikeAddress(ref) || ref == "-" {
		return usage("%q is not the address of an agent: write host:port, https://host or a card file.", line(a2a.MaskReference(ref)))
	}
	if a2a.MaskReference(ref) != ref {
		return usage("The address contains what looks like a secret, which Parley does not save: give it with --bearer, --api-key or a header.")
	}
	return nil
}

func (a *app) agentRenameCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rename NAME NEW-NAME",
		Short: "Give a saved agent another name",
		Example: `  parley agents rename Desk "Desk staging"
  parley agents rename "Desk staging" Desk
  parley agents`,
		Args: argCount(2, "parley agents rename takes the name of a saved agent and a new one."),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.changeAgents(roster.Rename(args[0], args[1]), fmt.Sprintf("%s is now called %s.", line(args[0]), line(args[1])))
		},
	}
}

func (a *app) agentForgetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "forget NAME",
		Short: "Remove a saved agent from the list; it stays among the recent ones",
		Example: `  parley agents forget Desk
  parley agents forget "Desk staging"
  parley agents`,
		Args: argCount(1, "parley agents forget takes the name of a saved agent."),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.changeAgents(roster.Forget(args[0], now()), line(args[0])+" is forgotten.")
		},
	}
}

// changeAgents changes the list of saved agents and says so.
func (a *app) changeAgents(change func(*roster.Content) error, done string) error {
	file := a.roster()
	if file == nil {
		return internal("No folder for saved agents is known: set XDG_STATE_HOME or HOME.")
	}
	switch _, err := file.Update(change); {
	case errors.Is(err, roster.ErrUnknown), errors.Is(err, roster.ErrNameTaken):
		return usage("Nothing was changed: %s; parley agents lists them.", err)
	case err != nil:
		return internal("Nothing was changed: %s.", line(err.Error()))
	}
	return a.print([]byte(done + "\n"))
}
