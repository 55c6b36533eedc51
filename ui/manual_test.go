package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"

	"parley/internal/golden"
	"parley/session/log"
)

// The table of keys in the manual is generated from the key maps: run this test with -update
// after a key changed.
func TestTheManualNamesEveryKey(t *testing.T) {
	golden.File(t, "../docs/keys.md", keysManual(New(context.Background(), Options{
		Engine: &fakeEngine{}, Feed: log.NewFeed(), Now: time.Now, Getenv: func(string) string { return "" },
	})))
}

// keysManual is docs/keys.md.
func keysManual(m *Model) string {
	var b strings.Builder
	b.WriteString("# Keys\n\nGenerated from the key maps; `go test ./ui -run Manual -update` writes it. ")
	b.WriteString("In the program, `f1` shows the keys that do something now, those of the pane or sheet that you are in first; `/` searches there. ")
	b.WriteString("`ctrl+p` finds every command by its name.\n\n")
	b.WriteString("* **Without alt**: some terminals send no alt. `ctrl+o` stands for it: `ctrl+o` `t` is `alt+t`, in every pane and sheet.\n")
	b.WriteString("* **Early letters**: where you did not move the focus yourself, a letter that sends, cancels or opens an editor asks for a second press.\n")
	b.WriteString("* **Other keys**: `[keys]` in config.toml gives an action other keys ([config.md](config.md#keys)). Its name is its section, in italics where that is not the name of the row, ")
	b.WriteString("and its words: `wire.mark-record`.\n\n")
	b.WriteString("## Keys by section\n\n| Section | Keys |\n|---|---|\n")
	for _, s := range []struct {
		name, about string
		keys        [][]key.Binding
	}{
		{"Everywhere", "These keys never type a character. `ctrl+l` goes to the text field, also from a sheet. `ctrl+g` goes to the task that waits for an answer; if several wait, it lists them. `alt+o` shows the host of the link that a task waits with, and opens the link only after you confirm.", m.keys.everywhere()},
		{"Outside text fields (*outside*)", "`i` goes to the text field from every pane and from sheets where it is free. `<` and `>` move the border between conversation and wire.", m.keys.outside()},
		{
			"Writing", "The line above the text names the target, to which `enter` sends; `ctrl+t` changes it. " +
				"A text that begins with `/` is a command: the list above it names the commands, `tab` completes, `enter` runs. " +
				"`//` at the beginning sends a slash. While an agent works, messages wait in a queue above the text: `up` brings the last one back, " +
				"a click any of them; if the turn does not end well they wait for `enter` on an empty text. " +
				"`alt+a` attaches files, or the files whose names were just dropped on the terminal; `alt+p` or a click changes how one is sent: as bytes or as an address, with which media type and name. " +
				"`alt+s` marks the text as a secret: dots in the text field, `•••` in the conversation, on the wire and in the recording, " +
				"also where the agent repeats it. An answer to a question for credentials is always a secret.", m.panes.composer.FullHelp(),
		},
		{
			"Conversation", "`enter` shows the record that built the line under the cursor, `d` its ids, description and metadata. " +
				"`h` and `l` step through the chunks of an artifact and highlight the text of each; a click on a word does the same. " +
				"`space` unfolds folded parts and draws pictures. `w` saves a file under a safe name and never overwrites one, `o` also opens it, `V` shows all of it. " +
				"`H` shows the history that the agent sent with a task, `v` the version before a replacement. " +
				"Parley polls a task that needs credentials and that no stream reports, because you may enter them in a browser: `p` stops or starts that, `o` on the task's link opens it. `t` shows how long the task was in each state. " +
				"Digits write the examples of an agent's greeting into the text field; with `alt` they also do so from there.", m.panes.chat.FullHelp(),
		},
		{
			"Wire", "The rows are those of the conversation on the screen; `a` switches to its agent, then to all agents, and back, and the title counts what is elsewhere. " +
				"`L` hides the rows up to now, or shows them again. `enter` shows what a record built in the conversation, `t` switches between the gap since the previous record and the clock. " +
				"`d` moves the focus into the record below the rows, and back; `J` and `K` scroll the half without the focus. " +
				"`space` folds an exchange into one row, `-` folds all of them. `/` hides records that do not match words, fields and patterns ([filter.md](filter.md)); `ctrl+f` hides nothing and searches for text " +
				"or a `/pattern/` in all listed records, `n` and `N` go to the next and previous match. While the focus is in a record, `/` searches too. " +
				"`s` shows the timeline of the stream in place of the record: there `j` and `k` go from step to step, `h` and `l` from record to record.", m.panes.wire.FullHelp(),
		},
		{"Agents", "", m.panes.agents.FullHelp()},
		{"On a record (*record*)", "In the conversation and in the wire they act on the record under the cursor.", m.records.FullHelp()},
		{
			"On a turn (*turn*)", "In the conversation they act on the turn under the cursor. A resent message goes to its first target if that is still open. " +
				"A fork is a new conversation whose first message refers to the turn's task, if the dialect has `referenceTaskIds`; the agent decides what to do with the reference.", m.keys.turns(),
		},
		{"Copy exchange", "In a curl command secrets become environment variables; elsewhere they stay masked.", m.records.CopyKeys()},
		{"Inject faults", "Faults need an open stream. `p` pauses reading, and resumes it when pressed again; a note on the wire says what the agent did.", m.records.FaultKeys()},
		{
			"Request", "The text is HTTP: method and URL, headers, a blank line, the body. `esc` closes the sheet and keeps the draft. " +
				"A mask stands for a secret; Parley fills it in when it sends the request.", m.records.Sheet().Keys(),
		},
		{
			"Findings", "`enter` goes to the record of the finding; `F` and `enter` again, to the next one. " +
				"Findings of muted rules are neither counted nor shown.", m.findings.Sheet().Keys(),
		},
		{
			"Tasks", "`enter` opens a task in its conversation. `r` gets it from the agent, `h` with its history; `x` twice cancels it; `s` subscribes to it; `p` polls it until it is over, or stops polling. " +
				"`l` lists the tasks that the agent has, if the dialect can; `i` gets one by an id that you type or paste. " +
				"`/` filters the list, and what the agent lists, by state, context and age: `working ctx:7f3a after:2h`.", m.tasks.Sheet().Keys(),
		},
		{
			"Webhooks", "`n` registers Parley's own webhook for the task, `i` adds it to each message of the conversation; " +
				"`l` lists the webhooks of the task, `enter` gets the selected one and `d` deletes it. A key that cannot work says why.", m.webhooks.Sheet().Keys(),
		},
		{
			"Credentials", "`f5` opens the sheet, and Parley offers it where an agent refuses a message or its card. The credential is shown as dots, sent " +
				"with every request to the agent, and stored only in memory. Below the field are the credentials in use; `tab` goes there and `d` removes one.", m.credentials.Sheet().Keys(),
		},
		{
			"Preview", "`v` switches between the views that suit the file: table, tree, Markdown, highlighted code, picture, bytes. " +
				"In a table `enter` shows one row on its own. `[` and `]` step through the older and newer versions.", m.files.Sheet().Keys(),
		},
		{
			"Waiting for you", "`ctrl+g` lists the waiting tasks if there are several, and goes to the next; a task that you answer keeps its place while the list is open. " +
				"`o` shows the host of an agent's link, and opens the link only after you confirm.", m.inbox.Sheet().Keys(),
		},
		{
			"Attach a file", "Type to narrow the list, or type a path; `tab` marks several files. A flag marks a file whose type the agent's card does not " +
				"list among its input modes; you can attach it anyway.", m.attachments.Sheet().Keys(),
		},
		{
			"Send options (*how-messages-are-sent*)", "They apply to the agent on the screen until you change them; a line below the text names those that you set. " +
				"The metadata of a message applies to the message in the text field only.", m.sendOptions.Sheet().Keys(),
		},
		{
			"Form", "`alt+i` opens a form if a task asks for data with a JSON schema: one row per value, a star for a required value. " +
				"`space` changes a value, opens an object or begins a list; characters select too. `alt+r` switches to the JSON of the form, which is sent as written, and back. " +
				"The values stay when you close the form.", m.forms.Sheet().Keys(),
		},
		{
			"JSON", "The JSON is checked while you type. If you leave without accepting it, the draft is there next time.", m.json.Sheet().Keys(),
		},
		{"Card", "", m.cards.Sheet().Keys()},
		{
			"Lanes", "`f6` shows the whole session: one lane per exchange, on one time axis. `v` begins a span and ends it, as a drag of the mouse does, and `enter` filters the wire by it while it is open; " +
				"`y` copies what happened in it. The filter and the marks of the wire apply here too, and the time between marks stands below the axis.", m.lanes.Sheet().Keys(),
		},
		{"Finder (*find*)", "Type to narrow the list: exact matches come first, then what you chose lately. A URL, `host:port` or card file opens an agent; `/` and a word runs a command.", m.panes.palette.FullHelp()},
		{"Help", "", m.helpSheet().Keys()},
	} {
		var named []string
		for _, k := range slices.Concat(s.keys...) {
			named = append(named, keyNames(k)+" "+k.Help().Desc)
		}
		cell := strings.Join(named, " · ")
		if s.about != "" {
			cell += "<br>" + s.about
		}
		fmt.Fprintf(&b, "| **%s** | %s |\n", s.name, cell)
	}
	b.WriteString("\n## Commands\n\nIn the text field and in the finder. An argument in brackets is optional.\n\n| Command | What it does |\n|---|---|\n")
	for _, k := range slices.Concat(m.slashKeys()...) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", k.Help().Key, k.Help().Desc)
	}
	return b.String()
}

// keyNames returns all keys of a binding as a cell of a table: first the one that the help
// names; digits are one range.
func keyNames(k key.Binding) string {
	names := slices.Clone(k.Keys())
	if first, _, isRange := strings.Cut(k.Help().Key, "-"); isRange && first != "" {
		names = []string{k.Help().Key}
	}
	for i, name := range names {
		names[i] = "`" + name + "`"
	}
	return strings.Join(names, " ")
}
