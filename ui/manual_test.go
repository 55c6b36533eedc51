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

// The manual's table of keys is written from the key maps: run this test with
// -update after a key changed.
func TestTheManualNamesEveryKey(t *testing.T) {
	golden.File(t, "../docs/keys.md", keysManual(New(context.Background(), Options{
		Engine: &fakeEngine{}, Feed: log.NewFeed(), Now: time.Now, Getenv: func(string) string { return "" },
	})))
}

// keysManual is docs/keys.md.
func keysManual(m *Model) string {
	var b strings.Builder
	b.WriteString("# Keys\n\nGenerated from the key maps; `go test ./ui -run Manual -update` writes it anew. ")
	b.WriteString("In the program, `f1` shows the same, with what would do nothing left out, ")
	b.WriteString("and `ctrl+p` finds every command by its name.\n")
	for _, s := range []struct {
		name, about string
		keys        [][]key.Binding
	}{
		{"Everywhere", "They never type a character. `ctrl+g` goes to the task that waits for an answer, or lists them; `alt+o` shows where the link leads that a task waits with, and opens it only then.", m.keys.everywhere()},
		{"Outside text fields", "`<` and `>` move the border between conversation and wire.", m.keys.outside()},
		{
			"Writing", "The line above the text says where `enter` sends it; `ctrl+t` changes that. " +
				"A text that begins with `/` is a command: the list above it says which there are, `tab` completes, `enter` runs it. " +
				"`//` at the beginning sends a slash. While an agent works, messages wait above the text: `up` brings the last one back, " +
				"a click any of them; when the turn does not end well they wait for `enter` on an empty text. " +
				"`alt+a` attaches files, or those whose names were just dropped on the terminal; `alt+p` or a click chooses how one is sent: its bytes or its address, its media type and name. " +
				"`alt+s` makes a secret of what is written: dots in the text, `•••` in the conversation, on the wire and in what is recorded, " +
				"also where the agent says it again. To who asks for credentials an answer is one by itself.", m.panes.composer.FullHelp(),
		},
		{"Commands", "Each is in the finder too. What stands in brackets may be left out.", m.slashKeys()},
		{
			"Conversation", "`enter` shows the record that built the line under the cursor, `i` its ids, description and metadata, " +
				"`h` and `l` step through the chunks of an artifact and light up what each of them brought, as a click on a word does, " +
				"`space` looks inside what is folded and draws pictures, `w` saves it under a safe name and overwrites nothing, `o` opens it then, `V` shows all of it, " +
				"`H` the history that the agent sent with a task, `v` what stood there before it was replaced. " +
				"A task that wants credentials and whose stream is over is looked at now and then, because they may be given elsewhere: `p` ends that, or begins it anew; `o` on its words opens their link. `t` tells how long the task was in which state. " +
				"Digits send the prompts of an agent's greeting; with `alt` they do so from the text field too.", m.panes.chat.FullHelp(),
		},
		{
			"Wire", "`enter` shows what a record built in the conversation, `t` turns the gap since the record before into the clock. " +
				"`d` moves the keys into the record below the rows, and back; `J` and `K` move in the half that they are not in. " +
				"`space` makes one row of an exchange, `-` of all of them. `/` hides what does not match, by words, fields and patterns ([filter.md](filter.md)); `ctrl+f` hides nothing and looks for text " +
				"or a `/pattern/` in all that is listed, `n` and `N` go on from there. While a record is read `/` searches too. " +
				"`s` shows how the stream went in place of the record: there `j` and `k` go from step to step, `h` and `l` from record to record.", m.panes.wire.FullHelp(),
		},
		{"Agents", "", m.panes.agents.FullHelp()},
		{"On a record", "In the conversation and in the wire pane they act on the record under the cursor.", m.records.FullHelp()},
		{
			"On a turn", "In the conversation they act on the turn under the cursor. A message that is sent anew goes where it went if that is still open. " +
				"A fork is a new conversation whose first message refers to the turn's task, where the dialect has `referenceTaskIds`: what the agent makes of that is its own business.", m.keys.turns(),
		},
		{"Copy as", "Secrets become environment variables in a line for curl, and stay masked elsewhere.", m.records.CopyKeys()},
		{"Fault bench", "It is for a stream that is open. `p` stops reading, and reads on when pressed again; what the agent made of it is a note on the wire.", m.records.FaultKeys()},
		{
			"Request", "The text is that of HTTP: method and URL, headers, a blank line, the body. Characters are typed, and `esc` keeps the draft. " +
				"A mask stands for a secret, which is put in when the request is sent.", m.records.Sheet().Keys(),
		},
		{
			"Findings", "`enter` leads to the record that the rule fired in; `F` and `enter` again, to the next one. " +
				"What is muted is neither counted nor shown.", m.findings.Sheet().Keys(),
		},
		{
			"Tasks", "`enter` opens a task in its conversation, `r` and `h` ask the agent for it, `x` twice to cancel it; `s` listens to it and `p` asks until it is over, or stops that. " +
				"What this session never saw is listed by `l`, where the dialect has a list, or named by `i`; a pasted id will do. " +
				"`/` narrows the list, and what the agent lists, by state, context and age: `working ctx:7f3a after:2h`.", m.tasks.Sheet().Keys(),
		},
		{
			"Webhooks", "`n` has the agent tell Parley's own webhook of the task, `i` sends one along with each message of the conversation; " +
				"`l`, `enter` and `d` ask the agent for all, for the selected one, and to forget it. What cannot be asked for says why.", m.webhooks.Sheet().Keys(),
		},
		{
			"Credentials", "`f5` opens it, and it is offered where an agent refuses a message or its card. What is typed stands there as dots, goes to the agent " +
				"with every request, and is kept in memory alone. Below it stands what is in use; `tab` goes there and `d` takes one away.", m.credentials.Sheet().Keys(),
		},
		{
			"Preview", "`v` shows the file in another way that suits it: a table, a tree, Markdown, highlighted code, a picture, its bytes. " +
				"In a table `enter` shows one row by itself. `[` and `]` step through what it replaced and what replaced it.", m.files.Sheet().Keys(),
		},
		{
			"Waiting for you", "`ctrl+g` lists what waits when there is more than one task, and goes on to the next; what is answered while the list is open stays where it is. " +
				"`o` shows where a link of the agent's leads, and opens it only then.", m.inbox.Sheet().Keys(),
		},
		{
			"Attach a file", "What is typed narrows the list, or is a path; `tab` marks several files. A flag stands where the agent's card does not name the type " +
				"among what it takes: it can be attached all the same.", m.attachments.Sheet().Keys(),
		},
		{
			"How messages are sent", "It stands until it is changed, for the agent on the screen; what is not left to the agent is named below the text. " +
				"Metadata of the message goes with the one that is being written.", m.sendOptions.Sheet().Keys(),
		},
		{
			"Form", "`alt+i` opens it for who asks for data and says with a JSON schema what it wants; a row for each value, what is required with a star. " +
				"`space` chooses, fills in an object and begins a list; characters choose too. `alt+r` turns it into its JSON, which is sent as it is written, and back. " +
				"What is filled in stays when it is closed.", m.forms.Sheet().Keys(),
		},
		{
			"JSON", "It is checked while it is written. What is not taken is there again when the same is written next.", m.json.Sheet().Keys(),
		},
		{"Card", "", m.cards.Sheet().Keys()},
		{"Find", "What is typed narrows the list; a URL opens an agent.", m.panes.palette.FullHelp()},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n", s.name)
		if s.about != "" {
			b.WriteString(s.about + "\n\n")
		}
		b.WriteString("| Key | What it does |\n|---|---|\n")
		for _, k := range slices.Concat(s.keys...) {
			fmt.Fprintf(&b, "| %s | %s |\n", keyNames(k), k.Help().Desc)
		}
	}
	return b.String()
}

// keyNames are all keys of a binding, as a cell of a table: the one that the help
// names first, a row of digits as one.
func keyNames(k key.Binding) string {
	names := slices.Clone(k.Keys())
	if first, _, isRange := strings.Cut(k.Help().Key, "-"); isRange && first != "" {
		names = []string{k.Help().Key}
	}
	for i, name := range names {
		names[i] = "`" + name + "`"
	}
	return strings.Join(names, ", ")
}
