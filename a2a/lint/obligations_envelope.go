package lint

// Sentences that several rules refer to.
const (
	strictGrammar  = "The resulting text MUST strictly conform to the JSON grammar."
	rpcResponse    = "When a rpc call is made, the Server MUST reply with a Response … expressed as a single JSON Object"
	bodyIsResponse = "The A2A Server's HTTP response body MUST be a JSONRPCResponse object"
	eitherOr       = "The members result and error are mutually exclusive: one MUST be present, and the other MUST NOT."
	exactVersion   = "jsonrpc: A String specifying the version of the JSON-RPC protocol. MUST be exactly \"2.0\"."
	clientID       = "id: An identifier established by the Client that MUST contain a String, Number, or NULL value if included."
	repeatID       = "id: This member is REQUIRED. It MUST be the same as the value of the id member in the Request Object."
	requiredFields = "Fields marked with [(google.api.field_behavior) = REQUIRED] indicate that the field MUST be present and set in valid messages."
	requiredArrays = "Arrays marked as required MUST contain at least one element."
	mandatoryDocs  = "A2A data objects: MUST use the data structures defined in Section 6 for all protocol entities."
	equivalentJSON = "Request/Response Format: MUST use JSON objects that are structurally equivalent to the core A2A data structures."
)

// envelopeObligations are about JSON, JSON-RPC, HTTP and errors.
var envelopeObligations = [...]obligation{
	{"ENV-001", v01v03, "0.1 §6.11, 0.2 §6.11, 0.3 §6.11", exactVersion, ""},
	{"ENV-001", onV10, "1.0 §9.3", "All JSON-RPC requests MUST follow the standard JSON-RPC 2.0 format", "JSONRPC-FMT-001"},
	{"ENV-001", onUnknown, "JSON-RPC 2.0 §5", "jsonrpc: A String specifying the version of the JSON-RPC protocol. MUST be exactly \"2.0\".", ""},
	{"ENV-002", anywhere, "RFC 8259 §10", strictGrammar, ""},
	{"ENV-004", v01v03, "0.1 §6.11.2, 0.2 §6.11.2, 0.3 §6.11.2", repeatID, ""},
	{"ENV-004", onV10 | onUnknown, "JSON-RPC 2.0 §5", "It MUST be the same as the value of the id member in the Request Object.", "JSONRPC-FMT-001"},
	{"ENV-005", v01v03, "0.1 §6.11.2, 0.2 §6.11.2, 0.3 §6.11.2", eitherOr, ""},
	{"ENV-005", onV10 | onUnknown, "JSON-RPC 2.0 §5", "Either the result member or error member MUST be included, but both members MUST NOT be included.", "JSONRPC-FMT-001"},
	{"ENV-007", envelopes, "JSON-RPC 2.0 §5.1", "code: A Number that indicates the error type that occurred. This MUST be an integer.", "JSONRPC-ERR-001"},
	{"ENV-009", anywhere, "RFC 8259 §8.1", "JSON text exchanged between systems that are not part of a closed ecosystem MUST be encoded using UTF-8", ""},
	{"ENV-010", anywhere, "RFC 8259 §10", strictGrammar, ""},
	{"ENV-010", v01v03, "0.1 §7, 0.2 §7, 0.3 §7", bodyIsResponse, ""},
	{"ENV-013", v01v03, "0.1 §7, 0.2 §7, 0.3 §7", bodyIsResponse, ""},
	{"ENV-013", onV10 | onUnknown, "JSON-RPC 2.0 §5", rpcResponse, "JSONRPC-FMT-001"},
	{"ENV-013", onV03REST, "0.3 §3.2.3", equivalentJSON, ""},
	{"ENV-013", onV10REST, "1.0 §3.1.1", "The operation MUST return immediately with either task information or response message.", "CORE-SEND-001"},

	{"METH-001", onV03, "0.3 §3.5.1", "JSON-RPC methods MUST follow the pattern: {category}/{action}", ""},
	{"METH-001", onV03REST, "0.3 §3.2.3", "URL Patterns: MUST follow the URL patterns documented in each method section", ""},
	{"METH-001", onV10, "1.0 §5.3, §9.1", "Method Naming: PascalCase method names matching gRPC conventions — required of the binding by the kit", "JSONRPC-SVC-001"},
	{"METH-001", onV10REST, "1.0 §5.3, §11.3", "— the paths and verbs of each operation; required of the binding by the kit", "HTTP_JSON-URL-001"},

	{"HTTP-001", v01v03, "0.1 §3.2, 0.2 §3.2, 0.3 §3.2.1", "The Content-Type header for HTTP requests and responses containing JSON-RPC payloads MUST be application/json.", ""},
	{"HTTP-001", onV03REST, "0.3 §3.2.3", "Content-Type: MUST use application/json for request and response bodies.", ""},
	{"HTTP-001", onV10, "1.0 §9.1", "Content-Type: application/json for requests and responses — required of the binding by the kit", "JSONRPC-FMT-002"},
	{"HTTP-004", v10, "1.0 §3.6.1", "Clients MUST send the A2A-Version header with each request", "VER-CLIENT-001"},
	{"HTTP-009", onV10REST, "1.0 §5.4", "All A2A-specific errors … MUST be mapped to binding-specific error representations.", "HTTP_JSON-STATUS-001"},

	{"HTTP-013", overHTTP, "RFC 9112 §9.2", "If a client receives data on a connection that doesn't have outstanding requests, the client MUST NOT consider that data to be a valid response; the client SHOULD close the connection, since message delimitation is now ambiguous", ""},
	{"HTTP-013", overHTTP, "RFC 9112 §6.3", "A client MUST NOT process, cache, or forward such extra data as a separate response, since such behavior would be vulnerable to cache poisoning.", ""},

	{"CLNT-001", v01v03, "0.1 §6.11.1, 0.2 §6.11.1, 0.3 §6.11.1", clientID, ""},
	{"CLNT-001", onV10 | onUnknown, "JSON-RPC 2.0 §4", clientID, ""},

	{"ERR-003", onV10, "1.0 §9.5", "Each object in the data array MUST include a @type key that identifies the object's type.", "JSONRPC-ERR-003"},
	{"ERR-006", onV10REST, "1.0 §11.6", "implementations MUST include a google.rpc.ErrorInfo object in the details array for A2A-specific errors", "HTTP_JSON-ERR-002"},
	{"CASE-001", v10, "1.0 §5.5", "All JSON serializations of the A2A protocol data model MUST use camelCase naming for field names", "DM-SERIAL-001"},
	{"CASE-001", onV03, "0.3 §11.1.5", mandatoryDocs, ""},
}
