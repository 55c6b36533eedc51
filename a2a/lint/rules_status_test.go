package lint

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

// withStatus is a stream with one status update; members are the members of its status.
func withStatus(d a2a.DialectName, state string, members ...string) []step {
	return streams(d, task(d, "working"), update(d, state, `"status":`+aStatus(d, state, members...)))
}

var statusCases = []ruleCase{
	{
		rule: "STAT-001", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status/state",
		fires:  withStatus(a2a.V10, "completed", `"state":"completed"`),
		silent: withStatus(a2a.V10, "completed"),
	},
	{
		rule: "STAT-001", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status/state",
		fires:  withStatus(a2a.V10, "working", `"state":"TASK_STATE_IN_PROGRESS"`),
		silent: withStatus(a2a.V10, "unknown"),
	},
	{
		rule: "STAT-001", call: on(a2a.V03, a2a.OpStream), at: "/result/status/state",
		fires:  withStatus(a2a.V03, "canceled", `"state":"cancelled"`),
		silent: withStatus(a2a.V03, "auth-required"),
	},
	{
		rule: "STAT-001", call: on(a2a.V01, a2a.OpStream), at: "/result/status/state",
		fires:  withStatus(a2a.V01, "rejected"),
		silent: withStatus(a2a.V01, "failed"),
	},
	{
		rule: "STAT-001", call: on(a2a.V03REST, a2a.OpStream), at: "/statusUpdate/status/state",
		fires:  withStatus(a2a.V03REST, "working", `"state":"Working"`),
		silent: withStatus(a2a.V03REST, "canceled"),
	},
	{
		rule: "STAT-002", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status/state",
		fires:  withStatus(a2a.V10, "working", `"state":2`),
		silent: withStatus(a2a.V10, "working"),
	},
	{
		rule: "STAT-003", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status/state",
		fires:  streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "submitted")),
		silent: streams(a2a.V10, task(a2a.V10, "submitted"), update(a2a.V10, "submitted"), update(a2a.V10, "working")),
	},
	{
		rule: "STAT-004", call: on(a2a.V03, a2a.OpStream), at: "/result/status/timestamp",
		fires:  withStatus(a2a.V03, "completed", `"timestamp":"2026-03-01T11:59:00"`),
		silent: withStatus(a2a.V03, "completed", `"timestamp":"2026-03-01T13:00:00+01:00"`),
	},
	{
		rule: "STAT-004", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status/timestamp",
		fires:  withStatus(a2a.V10, "completed", `"timestamp":"2026-03-01T13:00:00+01:00"`),
		silent: withStatus(a2a.V10, "completed", `"timestamp":"2026-03-01T12:00:00.123Z"`),
	},
	{
		rule: "STAT-004", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status/timestamp",
		fires:  withStatus(a2a.V10, "completed", `"timestamp":"2026-03-01T12:06:00Z"`), // the future
		silent: append([]step{later(2 * time.Minute)}, withStatus(a2a.V10, "completed", `"timestamp":"2026-03-01T12:06:00Z"`)...),
	},
	{
		rule: "STAT-004", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status/timestamp",
		fires:  withStatus(a2a.V10, "completed", `"timestamp":"2026-03-01T11:58:59.9Z"`), // newer than the task's status
		silent: withStatus(a2a.V10, "completed", `"timestamp":"2026-03-01T11:59:00Z"`),
	},
	{
		rule: "STAT-005", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status",
		fires:  withStatus(a2a.V10, "completed", `"timestamp":`),
		silent: withStatus(a2a.V10, "completed"),
	},
	{
		rule: "STAT-006", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status",
		fires:  withStatus(a2a.V10, "input-required", `"message":`),
		silent: withStatus(a2a.V10, "input-required"),
	},
	{
		rule: "STAT-007", call: on(a2a.V03, a2a.OpStream), at: "/result/status",
		fires:  withStatus(a2a.V03, "failed", `"message":`),
		silent: withStatus(a2a.V03, "failed"),
	},
}

// TestTimesApartAreToldInUnitsThatFit has a status that is a year minus half a day older than
// the preceding one.
func TestTimesApartAreToldInUnitsThatFit(t *testing.T) {
	s := play(on(a2a.V10, a2a.OpStream), withStatus(a2a.V10, "completed", `"timestamp":"2025-03-01T23:59:00Z"`)...)
	var said []string
	for _, f := range s.rules {
		said = append(said, f.Message)
	}
	if got := strings.Join(said, "\n"); !strings.Contains(got, "364 d 12 h before that of the preceding status") {
		t.Errorf("got findings\n%s\nwant one with “364 d 12 h before”", got)
	}
}
