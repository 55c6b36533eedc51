package lint

// streamObligations are about event streams and the order of their events.
var streamObligations = [...]obligation{
	{"SSE-001", onV01 | onV02, "0.1 §7, 0.2 §7", "The A2A Server's HTTP response body MUST be … for streaming methods, an SSE stream where each event's data is a JSONRPCResponse", ""},
	{"SSE-001", onV03, "0.3 §7", "The A2A Server's HTTP response body MUST be … for streaming methods, an SSE stream where each event's data is a JSONRPCResponse", ""},
	{"SSE-001", onV03REST, "0.3 §3.3", "If REST transport is supported it MUST implement streaming using Server-Sent Events similar to JSON-RPC.", ""},
	{"SSE-001", onV10, "1.0 §9.1", "Streaming: Server-Sent Events (text/event-stream) — required of the binding by the kit", "JSONRPC-SSE-001"},
	{"SSE-001", onV10REST, "1.0 §11.7", "REST streaming uses Server-Sent Events — required of the binding by the kit", "HTTP_JSON-SSE-001"},
	{"SSE-002", v01v03, "0.1 §7, 0.2 §7, 0.3 §7", "an SSE stream where each event's data is a JSONRPCResponse — the response body MUST be one", ""},
	{"SSE-002", onV03REST, "0.3 §3.3", "If REST transport is supported it MUST implement streaming using Server-Sent Events similar to JSON-RPC.", ""},
	{"SSE-002", onV10, "1.0 §9.4.2", "Response: HTTP 200 with Content-Type: text/event-stream — each data field holds a JSON-RPC response; required of the binding by the kit", "JSONRPC-SSE-001"},
	{"SSE-002", onV10REST, "1.0 §11.7", "REST streaming uses Server-Sent Events with the data field containing JSON serializations of the protocol data objects — required of the binding by the kit", "HTTP_JSON-SSE-001"},
	{"STRM-001", v10, "1.0 §3.1.2, §3.1.6", "If the agent returns a Task, the stream MUST begin with the Task object", "CORE-STREAM-003"},
	{"STRM-004", v10, "1.0 §3.1.2", "The stream MUST close when the task reaches a terminal state", "CORE-STREAM-003"},
	{"STRM-007", v01v03, "0.1 §6.11.2, 0.2 §6.11.2, 0.3 §6.11.2", repeatID, ""},
	{"STRM-007", onV10, "JSON-RPC 2.0 §5", "It MUST be the same as the value of the id member in the Request Object.", "JSONRPC-SSE-001"},
	{"STRM-009", onV01, "0.1 §7.2.2, §7.2.3", "The ID of the task being updated. This MUST match the TaskSendParams.id", ""},
	{"STRM-009", onV02, "0.2 §7.2.2, §7.2.3", "taskId: string; contextId: string — required members", ""},
	{"STRM-009", onV03, "0.3 §7.2.2, §7.2.3", "taskId: string; contextId: string — required members", ""},
	{"STRM-009", onV03REST, "0.3 §3.2.3", equivalentJSON, ""},
	{"STRM-009", v10, "1.0 §5.7, §4.2", requiredFields, "DM-SERIAL-004"},
	{"STRM-011", v10, "1.0 §3.1.2", "If the agent returns a Message, the stream MUST contain exactly one Message object and then close immediately.", "CORE-STREAM-002"},
	{"STRM-013", onV02, "0.2 §7.2.2, §7.2.3", "— kind is a required member, \"status-update\" or \"artifact-update\"", ""},
	{"STRM-013", onV03, "0.3 §7.2.2, §7.2.3", "— kind is a required member, \"status-update\" or \"artifact-update\"", ""},
	{"STRM-013", v10, "1.0 §3.2.3", "oneof payload — a StreamResponse has one of task, message, statusUpdate and artifactUpdate; required by the kit", "CORE-STREAM-003"},
}
