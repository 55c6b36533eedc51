package record

import (
	"testing"

	"parley/a2a"
	"parley/internal/tape"
	"parley/session/log"
)

func noteView(kind string, attrs map[string]string) *View {
	f := tape.New()
	return openView(f, f.Put(0, a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: kind, Attrs: attrs}}), 100, 30)
}

func TestANoteIsASentenceWithNamedValues(t *testing.T) {
	for kind := range noteWords {
		v := noteView(kind, map[string]string{log.AttrAgent: "7"})
		has(t, v, noteWords[kind], "agent  7")
	}
	has(t, noteView(log.NoteUnsent, map[string]string{log.AttrSentence: "Nothing answers at http://desk/.", log.AttrText: "Book it", log.AttrClass: "refused"}),
		"Nothing answers at http://desk/.\n\nmessage  Book it\nclass    refused")
	has(t, noteView(log.NoteOpened, map[string]string{log.AttrAttempts: `[{"URL":"http://h/card.json","Record":1,"Sentence":"http://h/card.json answered with a web page titled “Sign in”."}]`}),
		"Parley found no card of the agent.", "not at  http://h/card.json", "titled “Sign in”")
	v := noteView(log.NoteProfile, map[string]string{log.AttrProfile: `{"Dialect":"v1.0","Binding":"JSONRPC","Endpoint":"http://desk/rpc","Streaming":true,` +
		`"Evidence":[{"Field":"dialect","Reason":"the answer has members of 1.0","Record":4}],"Alternatives":[{}]}`})
	has(t, v, "Parley speaks to the agent in another way from here on.", "speaks     A2A 1.0 over JSON-RPC", "to         http://desk/rpc",
		"because    the answer has members of 1.0", "else       1 other way")
	hasNot(t, v, "{", "Dialect", "Problem")
	has(t, noteView(log.NoteOpened, map[string]string{
		log.AttrChanges: `[{"sentence":"The description has changed."}]`, log.AttrWarnings: `["The URL was repaired."]`, log.AttrExtensions: "null",
	}), "changed  The description has changed.", "warning  The URL was repaired.")
}

func TestANoteOfAnotherProgramIsShownAsItIs(t *testing.T) {
	v := noteView("later-type", map[string]string{
		log.AttrProfile: "{broken", log.AttrWarnings: "not a list", log.AttrChanges: `{"a":1}`, log.AttrAttempts: "[[", log.AttrRecord: "-1", "other": "x\x1b[2Jy", "": "nameless",
	})
	has(t, v, "later-type", "profile   {broken", "warning   not a list", `changed   {"a":1}`, "attempts  [[", "nameless")
	hasNot(t, v, "\x1b[2J")
	exact(t, v, 100, 30)
}
