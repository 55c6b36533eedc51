package lint

import "parley/a2a"

// hopRules are about what an agent makes of a request when it asks another agent. They need
// exchanges of several agents; session/chain applies them to what passes several taps.
var hopRules = [...]rule{
	{
		id: "HOP-001", severity: a2a.Warning, in: anywhere, section: "1.0 §7.6.3, RFC 6819 §4.6.4",
		checks: "An agent does not send its caller's credential on to another agent", fix: "Get a credential of its own for the next agent, or exchange the token for one with that audience",
	},
	{
		id: "HOP-002", severity: a2a.Warning, in: anywhere, section: "W3C Trace Context §3.4",
		checks: "An agent continues its caller's trace", fix: "Send traceparent with the caller's trace id and a new span id",
	},
	{
		id: "HOP-003", severity: a2a.Info, in: anywhere, section: "W3C Trace Context §3.5, W3C Baggage §3",
		checks: "An agent that continues a trace sends its tracestate and baggage on", fix: "Send tracestate and baggage on, unless the next agent must not know them",
	},
	{
		id: "HOP-004", severity: a2a.Warning, in: anywhere, section: "1.0 §3.2.6, §4.6",
		checks: "An agent asks the next one for the extensions that it was asked for, if that one declares them", fix: "Name the extension in A2A-Extensions of the next request",
	},
	{
		id: "HOP-005", severity: a2a.Info, in: anywhere,
		checks: "An agent sends its caller's own headers on, such as Accept-Language and those of a tenant", fix: "Send the header on, if it is meant for the agents behind",
	},
	{
		id: "HOP-006", severity: a2a.Info, in: anywhere,
		checks: "A message that is passed on keeps its metadata, its parts and its extensions", fix: "Pass the whole message on, or write a message of its own",
	},
	{
		id: "HOP-007", severity: a2a.Info, in: anywhere, section: "1.0 §3.5.2",
		checks: "While an agent waits for another one, its caller's stream shows progress", fix: "Send a status or an artifact for what the other agent reports",
	},
	{
		id: "HOP-008", severity: a2a.Warning, in: anywhere,
		checks: "A task does not end well although a call for it failed for good", fix: "Let the task fail, or say in its last message what is missing",
	},
	{
		id: "HOP-009", severity: a2a.Info, in: anywhere, section: "0.3 §7.4, 1.0 §3.1.5",
		checks: "An agent whose task is canceled cancels the tasks that it began for it", fix: "Cancel the tasks of other agents too",
	},
	{
		id: "HOP-010", severity: a2a.Info, in: anywhere,
		checks: "A caller waits as long as the agents behind need", fix: "Raise the caller's time limit, answer at once with a task that works, or tell the agents behind the deadline",
	},
	{
		id: "HOP-011", severity: a2a.Warning, in: anywhere,
		checks: "A chain does not come back to an agent that waits for it", fix: "Limit the number of hops, and refuse requests that an agent caused itself",
	},
}
