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
	t.Parallel()
	golden.File(t, "../docs/keys.md", keysManual(New(context.Background(), Options{
		Engine: &fakeEngine{}, Feed: log.NewFeed(), Now: time.Now, Getenv: func(string) string { return "" },
	})))
}

// keysManual is docs/keys.md.
func keysManual(m *Model) string {
	var b strings.Builder
	b.WriteString("# Keys\n\nGenerated from the key maps; `go test ./ui -run Manual -update` writes it. ")
	b.WriteString("In the program, `f1` begins with one page: a few keys to begin with, those that do something where you are, and what the signs mean. Below are all keys and commands, in six topics that the digits lead to; `/` searches there. ")
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
		{"Everywhere", "These keys never type a character. `ctrl+l` goes to the text field, also from a sheet. `ctrl+g` goes to the task that waits for an answer; if several wait, it lists them. `alt+o` shows the host of the link that a task waits with, and opens the link only after you confirm. From 160 columns on, `f8` shows another conversation in place of the wire, and the wire again; `f9` and `tab` go to the other of the two, and the text field with them. `f10` begins and ends presenter mode ([present.md](present.md)), where `alt+w` shows the wire, `alt+j` puts a spotlight on what is under the cursor, and `alt+k` shows the keys that are pressed.", m.keys.everywhere.FullHelp()},
		{"Outside text fields (*outside*)", "`i` goes to the text field from every pane and from sheets where it is free, `?` shows the help there. `q` leaves a recording at once; in a live session it says how one leaves, and a second press leaves. `<` and `>` move the border between conversation and wire.", m.keys.outside.FullHelp()},
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
			"Text", "In every text field: messages, requests, JSON, forms, filters and other lines. Where the row of the pane or the sheet has the key too, that comes first. " +
				"A field of one line has no keys for other lines and for the ends of the text, no `delete word` and no `undo`. Messages and forms have no `undo` either, and in a message `new line` is a key of *Writing*. " +
				"What was cut from a secret cannot be pasted.", m.st.Editing.Help(),
		},
		{
			"Conversation", "`enter` shows the record that built the line under the cursor, `d` its ids, description and metadata, and the tree of an agent's own steps if it reports them (traceability extension). " +
				"`h` and `l` show an artifact as it was after each of its chunks, with the text that the chunk added or replaced marked, its number, record, time and size; any other movement shows all of it again. " +
				"A click on a word highlights the chunk that brought it. " +
				"`space` unfolds folded parts and draws pictures. `w` saves a file under a safe name and never overwrites one, `o` also opens it, `V` shows all of it. " +
				"`H` shows the history that the agent sent with a task, `v` the version before a replacement. " +
				"Parley polls a task that needs credentials and that no stream reports, because you may enter them in a browser: `p` stops or starts that, `o` on the task's link opens it. `t` shows how long the task was in each state. " +
				"Digits write the examples of an agent's greeting into the text field; with `alt` they also do so from there.", m.panes.chat.FullHelp(),
		},
		{
			"Wire", "The rows are those of the conversation on the screen; `a` switches to its agent, then to all agents, and back, and the title counts what is elsewhere. " +
				"`L` hides the rows up to now, or shows them again. `enter` shows what a record built in the conversation and moves the focus there, as `enter` there moves it back. `#144` in the filter or the search leads to that record, in the search of the conversation to what it built. `t` switches between the gap since the previous record and the clock, `M` goes to the longest gap of the stream, then of the conversation, then of the session; the pause of a cut is one. " +
				"`d` moves the focus into the record below the rows, and back; `J` and `K` scroll the half without the focus. " +
				"`space` folds an exchange into one row, `-` folds all of them. `/` hides records that do not match words, fields and patterns ([filter.md](filter.md)); `ctrl+f` hides nothing and searches for text " +
				"or a `/pattern/` in all listed records, `n` and `N` go to the next and previous match. While the focus is in a record, `/` searches too. " +
				"`m` marks a record and `;` comments on it: both are saved beside the recording, and `'` and `\"` go from mark to mark. `s` shows the timeline of the stream in place of the record: there `j` and `k` go from step to step, `h` and `l` from record to record.", m.panes.wire.FullHelp(),
		},
		{
			"Replay", "`parley replay FILE` plays a recording, and `P` in `parley open FILE` from the record under the cursor. These keys work in every pane, outside text fields. " +
				"Nothing changes what was recorded; `esc` stops a long way.", m.panes.player.FullHelp()[:1],
		},
		{
			"Time line", "In a replay, while the line at the bottom has the focus, which `tab` gives it, as does a click. `g` and `:` take a time since the beginning (`12:03`, `90s`), a time from here (`+30s`, `-30s`), a record (`#421`), " +
				"a time of day (`@14:02`), a part (`50%`), or `next finding`, `previous mark`, `next turn`.", m.panes.player.FullHelp()[1:],
		},
		{"Agents", "`b` shows the selected conversation beside the one on the screen (`f8`).", m.panes.agents.FullHelp()},
		{"On a record (*record*)", "In the conversation and in the wire they act on the record under the cursor.", m.keys.record.FullHelp()},
		{
			"On a turn (*turn*)", "In the conversation they act on the turn under the cursor. A resent message goes to its first target if that is still open. " +
				"A fork is a new conversation whose first message refers to the turn's task, if the dialect has `referenceTaskIds`; the agent decides what to do with the reference.", m.keys.turn.FullHelp(),
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
			"Sign in", "`f5` opens the sheet, which opens by itself where an agent refuses you and you have pressed no key since. It says what the agent asks for and lists the ways: `enter` takes one, " +
				"and then the refused request is repeated once. While you sign in elsewhere, `esc` cancels and `f5` hides the sheet. Below are the agents where you are signed in ([auth.md](auth.md)).", m.signIn.Sheet().Keys(),
		},
		{
			"Credentials", "The last way of `f5`, and `/credentials`, open the sheet for headers. The credential is shown as dots, sent " +
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
		{
			"Card", "`w` goes to how Parley knows the dialect, the binding, the endpoint and the rest, and to the addresses that it tried for the card; `/evidence` opens the card there. " +
				"`up` and `down` choose among them and the examples, and `enter` goes to the record that proves what is chosen. A pin has no record, and a guess may have none.",
			m.cards.Sheet().Keys(),
		},
		{
			"Trust", "`/trust` lists the agents with their approved cards. An approval and forgetting ask again, and `enter` is the answer that changes nothing.", m.approvals.Sheet().Keys(),
		},
		{
			"Catalog", "`/catalog URL` reads the AI catalog of a host, or a list of cards; without a URL, the one that was read last, or that of the agent on the screen. An address that turns out to be a catalog opens it too. " +
				"`/` filters the entries, with letters left out too. A row says under which name you have saved the agent, and where its version or card differs from what you have seen. " +
				"`enter` opens the agent; on a catalog at another origin it asks first.", m.catalogs.Sheet().Keys(),
		},
		{
			"Doctor", "`/doctor` follows the way to the agent on the screen, step by step, as `parley doctor` does, and shows each step as it ends; `/doctor URL` follows that to another one. " +
				"At the first broken step it says what is wrong and what to do. `esc` stops it. Without an agent, and with `tab`, it describes this machine; `y` copies both for a bug report, without secrets. " +
				"Nothing of it is recorded, and no message is sent unless you press `s`.", m.doctor.Sheet().Keys(),
		},
		{
			"Taps", "`/tap URL` starts a tap: an address of this machine that passes on to the agent at the URL what clients send, and shows it. Clients use the address in place of the agent's. " +
				"Their conversations are shown as chats that you only read. `!` makes the tap inject a fault into what passes, to see how a client takes it; the verdict says so.", m.taps.Sheet().Keys(),
		},
		{
			"Chain", "With a tap in front of each agent, `/chain` shows as trees which exchange led to which: what an agent asked of the next one stands below what it was asked for, with what says so. " +
				"A flag marks exchanges in which rules found something, such as a credential that was passed on.", m.chain.Sheet().Keys(),
		},
		{
			"Lanes", "`f6` shows the whole session: one lane per exchange, on one time axis, as a bar in the colour of its agent. A stream that was cut and the one that continues it share a lane. Requests that bring no events, such as those for cards, are one line, which `space` unfolds. `v` begins a span and ends it, as a drag of the mouse does, and `enter` filters the wire by it while it is open; " +
				"`y` copies what happened in it. `M` goes to the longest pause of all lanes. The filter and the marks of the wire apply here too, and the time between marks stands below the axis.", m.lanes.Sheet().Keys(),
		},
		{
			"Compare", "`/diff` compares the conversation, its newest task or its agent with another of the session: states, artifacts, findings, card, timing and answers, prompt by prompt. " +
				"“Send the same over another binding” in the finder sends the message of a turn again, over another interface of the agent's card, as a new task in a new conversation, and compares both answers. " +
				"`-` marks lines of the first side, `+` those of the second. Ids, times and the boundaries of chunks are not compared.", m.answers.Sheet().Keys(),
		},
		{
			"Sessions", "`/sessions` lists the recorded sessions, and so does a row of the start screen. `/` filters them by title, prompt, agents and tags, `s` finds a text in the records of all. " +
				"`enter` opens a recording in a second Parley on the same terminal; `q` there leads back, as its footer says, and your agents went on meanwhile. `r` goes on with a session in place of the one on the screen; if an agent is open here, a second `r` confirms it. `d` twice deletes a session with its annotations.", m.sessions.Sheet().Keys(),
		},
		{
			"Answers side by side", "`/fanout TEXT` sends a message to several agents at once, to each in a new conversation; without a text, the draft or the message of the turn under the cursor. A menu has the agents: " +
				"all are chosen at first. The answers stand side by side while they arrive, or below each other on a narrow screen; `/answers` shows them again. `d` compares the answer of an agent with that of the first one.", m.fanout.Sheet().Keys(),
		},
		{
			"Activity", "An export or a comparison that is not over at once shows its progress. `esc` cancels it, and no file is left behind; `enter` lets it go on in the background, and “Show the activity that runs” in the finder shows it again.",
			m.activities.Sheet().Keys(),
		},
		{
			"Go on with a session", "`parley resume` and a row of *Go on* on the start screen open a recorded session, and this sheet lists whom it contacts when it goes on. " +
				"`enter` confirms that, `esc` leaves it a recording; “Go on with this session” in the finder asks again.", m.resume.Sheet().Keys(),
		},
		{
			"Themes", "`alt+t` and `/theme` list the themes, and the whole screen has the colours of the selected one at once. `enter` keeps it and saves its name for later runs, `esc` brings the one of before back. " +
				"`/theme NAME` chooses one without the list; `auto` is the dark or the light one, by the background of the terminal.", m.theme.Sheet().Keys(),
		},
		{
			"Start screen", "`parley` without an agent opens it, `/start` shows it again. Each character is text and filters the rows; `tab` completes it to the selected row. An address that is pasted is opened, one that is typed stands in the first row. " +
				"“Look on this machine” looks for agents on ports: those of the setting `ports`, or the ones that samples use ([config.md](config.md#ports)).", m.start.Sheet().Keys(),
		},
		{"Finder (*find*)", "Type to narrow the list. Every word has to match: names and slash words come first, then whole words, beginnings and parts; among equals, what you chose lately. `#144` leads to that record. A URL, `host:port` or card file opens an agent; `/` and a word runs a command.", m.panes.palette.FullHelp()},
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
	slashes, _ := m.slashKeys()
	for _, k := range slashes {
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
