package a2a

import (
	"slices"
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

// A request about a task has a member for metadata in all that 0.1 to 0.3 define on JSON-RPC but
// the registration of a webhook, and in a cancel of 1.0.
func TestAnnotates(t *testing.T) {
	all := []Op{OpGet, OpSubscribe, OpCancel, OpPushGet, OpPushList, OpPushDelete, OpPushSet}
	for name, want := range map[DialectName][]Op{
		V01: {OpGet, OpSubscribe, OpCancel, OpPushGet}, V02: all[:6], V03: all[:6], V10: {OpCancel}, V10REST: {OpCancel}, SAMDoc: nil,
	} {
		d, _ := Lookup(name)
		for _, op := range all {
			if got := d.Annotates(op); got != slices.Contains(want, op) {
				t.Errorf("%s %s: %t", name, op, got)
			}
		}
	}
}
