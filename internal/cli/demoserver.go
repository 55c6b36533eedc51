package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
)

// demoServerCommand runs the demo's agents for other programs.
func (a *app) demoServerCommand() *cobra.Command {
	var output string
	var fast bool
	c := &cobra.Command{
		Use:   "demo-server",
		Short: "Run the agents of the demo, to practise the commands with",
		Long: `Run the agents of the demo at free ports of this machine until ctrl+c, and
print their addresses. Each example in their cards is a message to try. Each
agent also serves a catalog of them all.`,
		Example: "  parley demo-server\n  parley card get http://127.0.0.1:PORT\n  parley catalog http://127.0.0.1:PORT",
		Args:    argCount(0, "parley demo-server takes no arguments."),
	}
	c.RunE = func(*cobra.Command, []string) error {
		pace := 1.0
		if fast {
			pace = 0
		}
		agents, stop, err := demo.Start(a.ctx, a2atest.Options{Pace: pace})
		if err != nil {
			return internal("The agents cannot be started: %s.", causeOf(err))
		}
		defer stop()
		if err := a.printDemo(agents, output); err != nil {
			return err
		}
		<-a.ctx.Done()
		return nil
	}
	c.Flags().StringVarP(&output, "output", "o", "text", "`format` of the addresses: text or json")
	c.Flags().BoolVar(&fast, "fast", false, "answer without pauses")
	return c
}

// printDemo prints the addresses of the agents.
func (a *app) printDemo(agents []demo.Agent, output string) error {
	type address struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	list := []address{}
	var p page
	for _, agent := range agents {
		list = append(list, address(agent))
		p.field(agent.Name, agent.URL)
	}
	if len(agents) > 0 {
		p.field("Catalog", agents[0].URL+demo.CatalogPath)
	}
	switch output {
	case "text":
		return a.print(p.b.Bytes())
	case "json":
		raw, err := json.Marshal(list)
		if err != nil {
			return internal("The addresses cannot be written as JSON.")
		}
		return a.print(append(raw, '\n'))
	default:
		return usage("The value of --output is neither text nor json.")
	}
}
