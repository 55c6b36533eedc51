package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/session/engine"
)

// pushFlags are the flags of the commands about the webhooks of a task.
type pushFlags struct {
	signatures signatureFlags
	callFlags
	task, id    string
	url         string
	token       string
	scheme      string
	credentials string
	listen      string
	public      string
}

func (a *app) pushCommand() *cobra.Command {
	c := group("push-config", "Register, show and delete the webhooks of a task")
	c.Example = "  parley task push-config create -a Desk 91c2 --url https://h.example\n  parley task push-config list -a Desk 91c2\n  parley task push-config listen -a Desk 91c2"
	c.AddCommand(a.pushCreateCommand(), a.pushGetCommand(), a.pushListCommand(), a.pushDeleteCommand(), a.pushListenCommand())
	return c
}

// pushSub returns a command about the webhooks of a task. most is how many ids it takes.
func (a *app) pushSub(f *pushFlags, use, short string, most int, run func(*operation) error) *cobra.Command {
	verb, _, _ := strings.Cut(use, " ")
	third := map[int]string{1: "--timeout 10s", 2: "mine"}[most]
	c := &cobra.Command{Use: use, Short: short, Args: cobra.ArbitraryArgs, Example: fmt.Sprintf(`  parley task push-config %[1]s -a http://localhost:9999 91c2
  parley task push-config %[1]s -a Desk 91c2 -o json
  parley task push-config %[1]s -a Desk 91c2 %[2]s`, verb, third)}
	c.RunE = func(_ *cobra.Command, args []string) error {
		f.remember(c)
		switch {
		case len(args) == 0 || args[0] == "":
			return usage("No task was named: give its id after the flags.")
		case len(args) > most:
			return usage("%s takes %s.", c.CommandPath(), map[int]string{1: "the id of a task", 2: "the ids of a task and of a webhook"}[most])
		case len(args) == 2:
			f.id = args[1]
		}
		f.task, f.hooks = args[0], engine.WebhookOptions{Listen: f.listen, Public: f.public}
		op, err := a.connect("task push-config", &f.callFlags)
		if err != nil {
			return err
		}
		defer op.end()
		if card := op.card(); card != nil && card.Capabilities.PushNotifications != a2a.True {
			return &fault{code: "PushNotificationNotSupportedError", message: "The card does not declare push notifications.",
				hint: "parley task get --wait polls the task instead."}
		}
		if err := run(op); err != nil {
			return op.advise(err, nil)
		}
		return op.broken
	}
	a.callFlags(c, &f.callFlags)
	return c
}

func (a *app) pushCreateCommand() *cobra.Command {
	var f pushFlags
	c := a.pushSub(&f, "create [flags] TASK-ID", "Register a webhook for a task", 1, func(op *operation) error {
		config := a2a.PushConfig{ID: f.id, URL: f.url, Token: f.token, Credentials: f.credentials}
		if f.scheme != "" || f.credentials != "" {
			config.Schemes = []string{cmp.Or(f.scheme, "Bearer")}
		}
		if a2a.Origin(f.url) == "" {
			return usage("--url needs the http or https URL of the webhook.")
		}
		ev, err := op.ask(a2a.EventPushConfig, func() a2a.TurnID { return op.engine.PushSet(op.agent, f.task, config) })
		if err != nil {
			return err
		}
		return op.showPush(&f, ev)
	})
	c.Example = "  parley task push-config create -a localhost:9999 91c2 --url http://hook:80\n  parley task push-config create -a Desk 91c2 --url https://h.example --id mine\n  parley task push-config list -a Desk 91c2"
	f.webhook(c.Flags())
	return c
}

// webhook defines the flags of a webhook.
func (f *pushFlags) webhook(fs *pflag.FlagSet) {
	fs.StringVar(&f.url, "url", "", "the `URL` that the agent posts to")
	fs.StringVar(&f.id, "id", "", "the `id` of the registration (default: the agent decides)")
	fs.StringVar(&f.token, "push-token", "", "the `token` that the agent repeats with each notification; unlike A2ACLI_PUSH_TOKEN, others can see it")
	fs.StringVar(&f.scheme, "push-scheme", "", "the authentication `scheme` of the webhook, such as Bearer")
	fs.StringVar(&f.credentials, "push-credentials", "", "the `credentials` with which the agent authenticates; unlike A2ACLI_PUSH_CREDENTIALS, others can see them")
}

func (a *app) pushGetCommand() *cobra.Command {
	var f pushFlags
	return a.pushSub(&f, "get [flags] TASK-ID [ID]", "Show one webhook of a task", 2, func(op *operation) error {
		ev, err := op.ask(a2a.EventPushConfig, func() a2a.TurnID { return op.engine.PushGet(op.agent, f.task, f.id) })
		if err != nil {
			return err
		}
		return op.showPush(&f, ev)
	})
}

func (a *app) pushListCommand() *cobra.Command {
	var f pushFlags
	return a.pushSub(&f, "list [flags] TASK-ID", "List the webhooks of a task", 1, func(op *operation) error {
		list := a2a.Event{}
		var filter a2a.ListFilter
		for seen := map[string]bool{}; ; {
			ev, err := op.ask(a2a.EventPushConfig, func() a2a.TurnID { return op.engine.PushList(op.agent, f.task, filter) })
			if err != nil {
				return err
			}
			list.PushConfigs = append(list.PushConfigs, ev.PushConfigs...)
			if ev.NextPageToken == "" || seen[ev.NextPageToken] {
				break
			}
			filter.PageToken = ev.NextPageToken
			seen[filter.PageToken] = true
		}
		if !op.app.json {
			for i := range list.PushConfigs {
				op.printPush(&f, &list.PushConfigs[i])
				op.write([]byte("\n"))
			}
			var p page
			p.field("Webhooks", strconv.Itoa(len(list.PushConfigs)))
			op.print(&p)
			return nil
		}
		doc := struct {
			Configs []json.RawMessage `json:"configs"`
		}{[]json.RawMessage{}}
		for i := range list.PushConfigs {
			doc.Configs = append(doc.Configs, a2a.EncodeV1PushConfig(&list.PushConfigs[i]))
		}
		if raw, err := json.Marshal(doc); err == nil {
			op.document("", raw)
		}
		return nil
	})
}

func (a *app) pushDeleteCommand() *cobra.Command {
	var f pushFlags
	return a.pushSub(&f, "delete [flags] TASK-ID ID", "Delete a webhook of a task", 2, func(op *operation) error {
		if f.id == "" {
			return usage("No webhook was named: parley task push-config list shows the ids.")
		}
		op.answer = answer{noted: true}
		sig, err := op.turn(func() a2a.TurnID { return op.engine.PushDelete(op.agent, f.task, f.id) })
		switch {
		case err != nil:
			return err
		case sig.Sentence != "":
			return op.failure(sig, nil)
		case op.app.json:
			op.document("", []byte("{}"))
		default:
			var p page
			p.field("Task", f.task)
			p.field("Deleted", f.id)
			op.print(&p)
		}
		return nil
	})
}

// showPush prints the registration that an agent answered with.
func (op *operation) showPush(f *pushFlags, ev *a2a.Event) error {
	if len(ev.PushConfigs) == 0 {
		return internal("The agent's answer names no webhook; --debug shows it.")
	}
	op.printPush(f, &ev.PushConfigs[0])
	return nil
}

// printPush prints one registration; as text without its secrets.
func (op *operation) printPush(f *pushFlags, c *a2a.PushConfig) {
	if op.app.json {
		op.document("", a2a.EncodeV1PushConfig(c))
		return
	}
	var p page
	p.field("Task", cmp.Or(c.TaskID, f.task))
	p.field("Webhook", orNone(c.ID))
	p.field("URL", a2a.MaskReference(c.URL))
	if c.Token != "" {
		p.field("Token", a2a.Mask)
	}
	p.list("Schemes", c.Schemes)
	if c.Credentials != "" {
		p.field("Credentials", a2a.Mask)
	}
	op.print(&p)
}
