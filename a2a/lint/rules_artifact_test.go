package lint

import (
	"strconv"
	"strings"
	"testing"

	"parley/a2a"
)

var artifactCases = []ruleCase{
	{
		rule: "ART-001", call: on(a2a.V10, a2a.OpStream), at: "/result/artifactUpdate/artifact",
		fires:  streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, "", `"artifactId":`)),
		silent: streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, ""), chunk(a2a.V10, "", `"artifactId":5`)),
	},
	{
		rule: "ART-001", call: on(a2a.V03, a2a.OpSend), at: "/result/artifacts",
		fires: answers(a2a.V03, task(a2a.V03, "completed", `"artifacts":[{"artifactId":"a","parts":[`+part(a2a.V03)+`]},
			{"artifactId":"a","parts":[`+part(a2a.V03)+`]}]`)),
		silent: answers(a2a.V03, task(a2a.V03, "completed", `"artifacts":[{"artifactId":"a","parts":[`+part(a2a.V03)+`]},
			{"artifactId":"b","parts":[`+part(a2a.V03)+`]}]`)),
	},
	{
		rule: "ART-002", call: on(a2a.V10, a2a.OpStream), at: "/result/artifactUpdate/artifact/parts",
		fires:  streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, "", `"parts":[]`)),
		silent: streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, "")),
	},
	{
		rule: "ART-003", call: on(a2a.V10, a2a.OpStream), at: "/result/artifactUpdate",
		fires:  streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, `"append":true`)),
		silent: streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, ""), chunk(a2a.V10, `"append":true`)),
	},
	{
		rule: "ART-003", call: made(on(a2a.V01, a2a.OpStream)), at: "/result",
		fires:  streams(a2a.V01, chunk(a2a.V01, `"append":true`)),
		silent: streams(a2a.V01, chunk(a2a.V01, `"append":false`), chunk(a2a.V01, `"append":true`)),
	},
	{
		// A subscriber to a working task receives the middle of the stream.
		rule: "ART-003", call: on(a2a.V10, a2a.OpStream), at: "/result/artifactUpdate",
		fires: streams(a2a.V10, task(a2a.V10, "working", `"artifacts":[{"artifactId":"b","parts":[{"text":"x"}]}]`), chunk(a2a.V10, `"append":true`)),
		silent: []step{under(func(c *a2a.Call) { c.Op = a2a.OpSubscribe }),
			asked(`{"jsonrpc":"2.0","id":"1","method":"SubscribeToTask","params":{"id":"t"}}`), frames(chunk(a2a.V10, `"append":true`))},
	},
	{
		rule: "ART-004", call: on(a2a.V10, a2a.OpStream), at: "/result/artifactUpdate",
		fires: streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, ""), chunk(a2a.V10, `"append":true`),
			chunk(a2a.V10, `"lastChunk":true`, text(a2a.V10, "end"))),
		silent: streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, ""), chunk(a2a.V10, `"append":true`),
			chunk(a2a.V10, `"lastChunk":true`, text(a2a.V10, "hellohello and the end"))),
	},
	{
		rule: "ART-004", call: on(a2a.V03, a2a.OpStream), at: "/result",
		fires:  streams(a2a.V03, chunk(a2a.V03, "", text(a2a.V03, "hello wor")), chunk(a2a.V03, "", text(a2a.V03, "ld"))),
		silent: streams(a2a.V03, chunk(a2a.V03, "", text(a2a.V03, "hello wor")), chunk(a2a.V03, `"append":true`, text(a2a.V03, "ld"))),
	},
	{
		rule: "ART-005", call: on(a2a.V10, a2a.OpStream), at: "/result/artifactUpdate/artifact/artifactId",
		fires:  streams(a2a.V10, append([]string{task(a2a.V10, "working")}, many(4)...)...),
		silent: streams(a2a.V10, append([]string{task(a2a.V10, "working")}, many(2)...)...),
	},
	{
		rule: "ART-006", call: on(a2a.V03, a2a.OpStream), at: "/result",
		fires:  streams(a2a.V03, chunk(a2a.V03, `"lastChunk":true`), chunk(a2a.V03, `"append":true`)),
		silent: streams(a2a.V03, chunk(a2a.V03, `"lastChunk":true`), chunk(a2a.V03, "", `"artifactId":"b"`)),
	},
	{
		rule: "ART-007", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, ""), chunk(a2a.V10, `"append":true`), update(a2a.V10, "completed")),
		silent: told(a2a.V10),
	},
	{
		rule: "ART-008", call: on(a2a.V01, a2a.OpStream), at: "/result/append",
		fires:  streams(a2a.V01, `{"jsonrpc":"2.0","id":"1","result":{"id":"t","append":true,"artifact":{"index":0,"parts":[{"type":"text","text":"x"}]}}}`),
		silent: streams(a2a.V01, chunk(a2a.V01, `"append":true`)),
	},
	{
		rule: "ART-008", call: on(a2a.V01, a2a.OpStream), at: "/result/artifact/index",
		fires:  streams(a2a.V01, chunk(a2a.V01, "", `"index":-1`)),
		silent: streams(a2a.V01, chunk(a2a.V01, "", `"index":7`)),
	},
	{
		rule: "ART-009", call: on(a2a.V10, a2a.OpStream), at: "/result/artifactUpdate/artifact/append",
		fires:  streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, "", `"append":true`)),
		silent: streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, ""), chunk(a2a.V10, `"append":true`)),
	},
}

// Before 0.2, agents distinguish artifacts by name, whatever their index.
func TestArtifactsOfOneIndexAreTwoByName(t *testing.T) {
	d := a2a.V01
	named := func(marks, name, words string) string {
		return chunk(d, marks, `"name":"`+name+`"`, text(d, words))
	}
	s := play(on(d, a2a.OpStream), streams(d, update(d, "working"), named("", "long", "some text"), named(`"append":true,"lastChunk":true`, "long", " and more"),
		named(`"lastChunk":true`, "short", "x"), update(d, "completed"))...)
	if len(s.rules) > 0 {
		t.Errorf("got findings %v, want none", s.rules)
	}
}

// many returns chunks with append, each for another artifact.
func many(n int) (out []string) {
	for i := range n {
		out = append(out, chunk(a2a.V10, `"append":true`, `"artifactId":"a`+strconv.Itoa(i)+`"`))
	}
	return out
}

func TestScatteredChunksAreReportedOnce(t *testing.T) {
	s := play(on(a2a.V10, a2a.OpStream), streams(a2a.V10, append([]string{task(a2a.V10, "working")}, many(100)...)...)...)
	if n := len(s.of("ART-005")); n != 1 {
		t.Errorf("got %d findings of ART-005, want 1", n)
	}
	if n := len(s.of("ART-003")); n >= a2a.MinStrays {
		t.Errorf("got %d findings of ART-003, want fewer than %d", n, a2a.MinStrays)
	}
}

// TestAReplayedStreamIsNoFault: some agents replay the whole stream to a subscriber.
func TestAReplayedStreamIsNoFault(t *testing.T) {
	d := a2a.V10
	chunks := []string{task(d, "working"), chunk(d, ""), chunk(d, `"append":true,"lastChunk":true`)}
	steps := append([]step{sends(d), frames(chunks...), ended(a2a.Cut)},
		under(func(c *a2a.Call) { c.Op = a2a.OpSubscribe }),
		asked(`{"jsonrpc":"2.0","id":"1","method":"SubscribeToTask","params":{"id":"t"}}`),
		frames(append(chunks, update(d, "completed"))...), ended(a2a.Ended))
	for _, f := range play(on(d, a2a.OpStream), steps...).rules {
		if group, _, _ := strings.Cut(f.Rule, "-"); group == "ART" || group == "TASK" {
			t.Errorf("got finding %+v, want none about artifacts and tasks", f)
		}
	}
}
