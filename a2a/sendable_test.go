package a2a

import (
	"strings"
	"testing"

	"parley/a2a/jsontok"
)

// TestEveryMemberOfASendIsWhereItIsSaidToBe encodes a send in which everything is asked
// for, and looks for what the dialect says it calls it.
func TestEveryMemberOfASendIsWhereItIsSaidToBe(t *testing.T) {
	for _, name := range Dialects() {
		d, _ := Lookup(name)
		req := fullRequest(OpSend)
		body, method, err := d.Encode(req, "1")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var doc jsontok.Doc
		if err := doc.Parse(body); err != nil {
			t.Fatal(err)
		}
		params := doc.Root()
		if _, _, routed := route(method); !routed {
			params = params.Get("params")
		}
		for member, words := range map[SendMember][]string{
			MemberOutputModes: {"acceptedOutputModes"}, MemberHistoryLength: {"historyLength"},
			MemberWait: {"blocking", "returnImmediately"}, MemberMetadata: {"metadata"},
		} {
			path := d.SendMember(member)
			at := params
			for _, word := range strings.Split(path, ".") {
				if path != "" {
					at = at.Get(word)
				}
			}
			if path != "" && !at.Exists() {
				t.Errorf("%s: there is no %s in %s", name, path, params.Raw())
			}
			if path == "" && (params.GetAny(words...).Exists() || params.Get("configuration").GetAny(words...).Exists()) {
				t.Errorf("%s has %v and says it has not: %s", name, words, params.Raw())
			}
		}
	}
}
