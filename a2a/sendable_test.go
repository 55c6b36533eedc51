package a2a

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a/jsontok"
)

// TestEveryMemberOfASendIsWhereItIsSaidToBe encodes a send with every field and looks for each
// member under the name that Sendable returns.
func TestEveryMemberOfASendIsWhereItIsSaidToBe(t *testing.T) {
	t.Parallel()
	for _, name := range Dialects() {
		d, _ := LookupDialect(name)
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
				t.Errorf("%s: got no member %s in %s", name, path, params.Raw())
			}
			if path == "" && (params.GetAny(words...).Exists() || params.Get("configuration").GetAny(words...).Exists()) {
				t.Errorf("%s: got member %v, which Sendable says is missing: %s", name, words, params.Raw())
			}
		}
	}
}

// In 0.1 to 0.3 over JSON-RPC, every request about a task has a metadata member except the
// registration of a webhook; in 1.0 a cancel has one.
func TestAnnotates(t *testing.T) {
	t.Parallel()
	all := []Op{OpGet, OpSubscribe, OpCancel, OpPushGet, OpPushList, OpPushDelete, OpPushSet}
	for name, want := range map[DialectName][]Op{
		V01: {OpGet, OpSubscribe, OpCancel, OpPushGet}, V02: all[:6], V03: all[:6], V10: {OpCancel}, V10REST: {OpCancel}, SAMDoc: nil,
	} {
		d, _ := LookupDialect(name)
		for _, op := range all {
			if got := d.Annotates(op); got != slices.Contains(want, op) {
				t.Errorf("%s: Annotates(%s) = %t, want %t", name, op, got, !got)
			}
		}
	}
}
