package lint

// cardObligations are about agent cards and what they declare.
var cardObligations = [...]obligation{
	{"CARD-001", onV01 | onV02, "0.1 §5.1, §5.5, 0.2 §5.1, §5.5", "A2A Servers MUST make an Agent Card available. — its structure lists what is required", ""},
	{"CARD-001", v03, "0.3 §11.1.1", "Expose Agent Card: MUST provide a valid AgentCard document as defined in Section 5.", ""},
	{"CARD-001", v10, "1.0 §5.7", requiredFields, "CARD-STRUCT-001"},
	{"CARD-003", onV01, "0.1 §5.5", "Base URL for the agent's A2A service. Must be absolute. — the definition of url", ""},
	{"CARD-003", v03, "0.3 §5.6.1", "Main URL requirement: The url field MUST specify the primary endpoint for the agent.", ""},
	{"CARD-003", v10, "1.0 §4.4.6", "The URL where this interface is available. Must be a valid absolute HTTPS URL in production. — the definition of url", "CARD-PROTO-002"},
	{"CARD-004", v03, "0.3 §4.1", "production deployments MUST use HTTPS.", ""},
	{"CARD-004", v10, "1.0 §7.1", "Production deployments MUST use encrypted communication (HTTPS for HTTP-based bindings, TLS for gRPC).", ""},
	{"CARD-005", onV03, "0.3 §11.1.1", "Expose Agent Card: MUST provide a valid AgentCard document as defined in Section 5.", ""},
	{"CARD-009", v03, "0.3 §5.6.4", "No conflicts: The same URL MUST NOT declare conflicting transport protocols across different interface declarations.", ""},
	{"CARD-011", v10, "1.0 §5.7, §4.4.6", requiredFields, "CARD-PROTO-002"},
	{"CARD-012", v03, "0.3 §5.6.4", "Minimum transport requirement: The agent MUST declare at least one supported transport protocol", ""},
	{"CARD-015", onV01, "0.1 §5.5.3", "credentials: … MUST NOT contain plaintext secrets.", ""},
	{"CARD-015", v10, "1.0 §13.4", "API keys, tokens, and other credentials MUST be treated as secrets", ""},
	{"CARD-019", v10, "1.0 §3.3.4", "If AgentCard.capabilities.streaming is false or not present, attempts to use SendStreamingMessage or SubscribeToTask operations MUST return UnsupportedOperationError.", "CORE-CAP-002"},
	{"CARD-019", v10, "1.0 §3.1.2", "The operation MUST establish a streaming connection for real-time updates.", "CORE-STREAM-001"},
	{"CARD-020", v10, "1.0 §3.3.4", "When a server requests use of an extension marked as required: true in the Agent Card but the client does not declare support for it, the agent MUST return ExtensionSupportRequiredError.", "CORE-CAP-004"},

	{"PUSH-001", onV03, "0.3 §11.1.5", mandatoryDocs, ""},
	{"PUSH-001", v10, "1.0 §3.1.7", "When task updates occur, the agent will send HTTP POST requests to the configured webhook URL with StreamResponse payloads — required by the kit", "PUSH-DELIVER-003"},
	{"PUSH-003", v10, "1.0 §4.3.3", "The agent MUST include authentication credentials in the request headers as specified in the PushNotificationConfig.authentication field.", "PUSH-DELIVER-001"},
	{"PUSH-005", v10, "1.0 §3.1.7", "The operation MUST establish a webhook endpoint for task update notifications.", "PUSH-CREATE-001"},
	{"PUSH-005", onV03, "0.3 §11.1.5", mandatoryDocs, ""},
}
