package causes

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// reports returns all reports.
func reports(t *testing.T) []report {
	var all []report
	for _, part := range [][]report{ofCards(), ofPaths(t), ofCredentials(), ofAnswers(), ofStreams(), ofTasks()} {
		all = append(all, part...)
	}
	return all
}

// ofCards are about cards that declare something wrongly.
func ofCards() []report {
	only03 := speaking(card10("@/a2a/desk", "JSONRPC", streamsNo), func(q *request) {
		if strings.Contains(q.Method, "/") {
			good03(q)
			return
		}
		q.fail(-32601, "Method '"+q.Method+"' not found")
	}, nil)
	return []report{
		{
			name: "agno-agi/agno#10165: an operation as url", run: "send -a @ hello",
			agent: speaking(card03("@/agents/desk/v1/message:stream", streams), func(q *request) {
				q.say(400, `{"detail":[{"loc":["body","method"],"msg":"Input should be 'message/stream'"}]}`)
			}, map[string]agent{"message/stream": good03}),
			line: "Warning: ", first: []string{"The card declares @/agents/desk/v1/message:stream for JSON-RPC", "the path of an operation of HTTP+JSON", "uses it as it is declared"},
			also: []string{"Hello from the agent.", "CARD-007", "at /url"},
		},
		{
			name: "cloudwego/eino#514: security is an object", run: "send -a @ hello", code: 4,
			agent: speaking(card03("@/", streams+`,"securitySchemes":{"jwt":{"type":"http","scheme":"bearer"}},"security":{"jwt":[]}`), func(q *request) {
				q.say(401, `{"message":"no token"}`, "WWW-Authenticate", "Bearer")
			}, nil),
			line: "Finding: ", first: []string{"CARD-001", "at /security", "“security” is an object, not an array"},
			also: []string{"requires credentials (401 Unauthorized", "--bearer"},
		},
		{
			name: "agentgateway/agentgateway#1031: http in a card that came over https", run: "send -a @ --bearer lab hello", code: 1, tls: true,
			agent: func(q *request) {
				_, port, _ := strings.Cut(q.Host, ":")
				speaking(card03("http://127.0.0.1:"+port+"/a2a", streams), good03, nil)(q)
			},
			line: "Error: ", first: []string{"Nothing was sent: the host was opened at @, but the card names http://127.0.0.1:"},
			also: []string{"CARD-004", "at /url", "X-Forwarded-Proto", "--endpoint @/a2a"}, never: []string{"--allow-origin http:", "Hello from the agent."},
		},
		{
			name: "litellm#30795: the card says 1.0, the wire is 0.3", run: "send -a @ hello",
			agent: only03,
			line:  "Warning: ", first: []string{"The card says A2A 1.0 but the agent speaks 0.3", "has no SendMessage"}, also: []string{"Hello from the agent."},
		},
		{
			name: "litellm#30795: doctor", run: "doctor @ --send", agent: only03,
			line: "Warning: version: ", first: []string{"The card says A2A 1.0; the agent speaks A2A 0.3"}, also: []string{"Ok: message: answered", "with 1 warning"},
		},
		{
			name: "litellm#30795: check", run: "check @", agent: only03,
			also: []string{"Ok: the card is valid", "A2A 0.3 has no such operation"}, never: []string{"ERR-005", "Failed: "},
		},
		{
			name: "litellm#20858: a wildcard host", run: "send -a @ hello",
			agent: func(q *request) {
				_, port, _ := strings.Cut(q.Host, ":")
				speaking(card03("http://0.0.0.0:"+port+"/rpc", streams), good03, nil)(q)
			},
			line: "Warning: ", first: []string{"The card declares the host 0.0.0.0", "the host of the card"}, also: []string{"Hello from the agent.", "CARD-006"},
		},
		{
			name: "pydantic-ai#1747: snake_case", run: "send -a @ hello",
			agent: speaking(`{"name":"Desk","description":"d","version":"1","url":"@/","protocol_version":"0.3.0","preferred_transport":"JSONRPC","capabilities":{"streaming":true},`+
				`"default_input_modes":["text/plain"],"default_output_modes":["text/plain"],"skills":[{"id":"s","name":"s","description":"d","tags":["t"]}]}`, good03, nil),
			line: "Finding: ", first: []string{"CASE-001", "The card is written in snake_case"}, also: []string{"Hello from the agent."},
		},
		{
			name: "a2a-java#571: a draft between 0.3 and 1.0", run: "send -a @ hello",
			agent: speaking(`{`+about+`,"protocolVersion":"1.0","supportedInterfaces":[{"url":"@/","transport":"JSONRPC"}],`+streams+`}`, good10, nil),
			line:  "Finding: ", first: []string{"CARD-011", "/supportedInterfaces/0", "“protocolBinding”, “protocolVersion”"}, also: []string{"Hello from the agent."},
		},
		{
			name: "a2a-samples#599: an interface without a version", run: "send -a @ hello",
			agent: speaking(`{`+about+`,"supportedInterfaces":[{"url":"@/","protocolBinding":"JSONRPC"}],`+streams+`}`, good10, nil),
			line:  "Finding: ", first: []string{"CARD-011", "/supportedInterfaces/0", "has no “protocolVersion”"}, also: []string{"Hello from the agent."},
		},
		{
			name: "rossoctl#362: streaming is declared, and refused", run: "send -a @ hello",
			agent: speaking(card03("@/", streams), good03, map[string]agent{"message/stream": func(q *request) { q.fail(-32601, "Method not found: message/stream") }}),
			line:  "Finding: ", first: []string{"CARD-019", "The card declares streaming, but the agent has no method for it"}, also: []string{"Hello from the agent.", "without a stream"},
		},
		{
			name: "A2A#915: a required extension", run: "send -a @ hello", code: 1,
			agent: speaking(card10("@/", "JSONRPC", `"capabilities":{"extensions":[{"uri":"urn:trace","required":true}]}`), good10, map[string]agent{
				"SendMessage": func(q *request) { q.fail(-32008, "Extension urn:trace is required") },
			}),
			line: "Warning: ", first: []string{"the card requires the extension urn:trace", "--extension urn:trace"},
		},
	}
}

// ofPaths are about requests that do not reach the agent.
func ofPaths(t *testing.T) []report {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("got %s %s at the other origin, want nothing there", r.Method, r.URL)
	}))
	t.Cleanup(elsewhere.Close)
	const foundry = "/agents/desk/protocols/a2a"
	azure := func(q *request) {
		switch {
		case !strings.HasPrefix(q.URL.Path, foundry):
			q.say(404, `{"error":{"code":"404","message":"Resource not found"}}`)
		case q.URL.Query().Get("api-version") != "2026-01-secret":
			q.say(400, `{"error":{"code":"UserError","message":"Missing required query parameter: api-version"}}`)
		case q.at(foundry + "/agentCard/v1.0"):
			q.say(200, card10("@"+foundry+"?api-version=2026-01-secret", "JSONRPC", streamsNo))
		case q.Request.Method == http.MethodGet:
			q.say(404, `{"error":{"code":"404","message":"Resource not found"}}`)
		default:
			good10(q)
		}
	}
	langgraph := func(q *request) {
		switch {
		case q.at(wellKnown) && q.URL.Query().Get("assistant_id") != "":
			q.say(200, card03("@/a2a/"+q.URL.Query().Get("assistant_id"), streamsNo))
		case q.at(wellKnown):
			q.say(400, `{"detail":"assistant_id query parameter is required"}`)
		case q.URL.Path == "/a2a/fe096781":
			good03(q)
		default:
			q.say(404, `{"detail":"Not Found"}`)
		}
	}
	belowV1 := func(details string) agent {
		return func(q *request) {
			switch {
			case q.at(wellKnown):
				q.say(200, card10("@", "HTTP+JSON", streams))
			case !strings.HasPrefix(q.URL.Path, "/v1/"):
				q.say(404, `{"detail":"Not Found"}`)
			case !strings.HasPrefix(q.Header.Get("A2A-Version"), "1."):
				q.say(400, `{"error":{"code":400,"status":"UNIMPLEMENTED","message":"A2A version '0.3' is not supported by this handler. Expected version '1.0'."`+details+`}}`)
			default:
				q.say(200, `{"task":`+task10+`}`)
			}
		}
	}
	return []report{
		{
			name: "codex-a2a#339: routes below /v1", run: "send -a @ hello", code: 1,
			agent: belowV1(`,"details":[{"\u0040type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"VERSION_NOT_SUPPORTED","domain":"a2a-protocol.org"}]`),
			line:  "Error: ", first: []string{"answers below @/v1", "the URL in the card lacks the prefix /v1"}, also: []string{"--endpoint @/v1"}, never: []string{"does not speak A2A 1.0"},
		},
		{
			name: "codex-a2a#339: with a refusal in words alone", run: "send -a @ hello", code: 1, agent: belowV1(""),
			line: "Error: ", first: []string{"answers below @/v1", "the URL in the card lacks the prefix /v1"}, never: []string{"the agent speaks 0.3"},
		},
		{
			name: "codex-a2a#339: with the endpoint that the sentence names", run: "send -a @ --endpoint @/v1 hello",
			agent: func(q *request) {
				switch {
				case q.at(wellKnown):
					q.say(200, card10("@", "HTTP+JSON", streamsNo))
				case q.URL.Path == "/v1/message:send":
					q.say(200, `{"task":`+task10+`}`)
				default:
					q.say(404, `{"detail":"Not Found"}`)
				}
			},
			also: []string{"Hello from the agent."},
		},
		{
			name: "litellm#40586: a card elsewhere, at the base URL", run: "send -a @" + foundry + " --bearer lab hello", code: 3, agent: azure,
			line: "Error: ", first: []string{"There is no agent card: @" + foundry + wellKnown, "400 Bad Request: “Missing required query parameter: api-version”"},
		},
		{
			name: "litellm#40586: at the card's URL", run: "send -a @" + foundry + "/agentCard/v1.0?api-version=2026-01-secret --bearer lab hello", agent: azure,
			also: []string{"Hello from the agent."},
		},
		{
			name: "langchain-ai/docs#368: a query names the assistant", run: "send -a @" + wellKnown + "?assistant_id=fe096781 hello", agent: langgraph,
			also: []string{"Hello from the agent."},
		},
		{
			name: "langchain-ai/docs#368: without the query", run: "send -a @ hello", code: 3, agent: langgraph,
			line: "Error: ", first: []string{"There is no agent card: @" + wellKnown, "“assistant_id query parameter is required”"},
		},
		{
			name: "dao-ai#105: 307 to another origin", run: "send -a @ hello", code: 1,
			agent: speaking(card03("@/app", streams), func(q *request) {
				q.say(307, "", "Location", strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1)+"/elsewhere")
			}, nil),
			line: "Error: ", first: []string{"@/app answered 307 Temporary Redirect", "http://localhost:", "another origin", "nothing was sent there"},
		},
		{
			name: "agent-framework#1404: an encoded path, and a header that is too short", run: "send -a @ hello", code: 1,
			agent: speaking(card03("@/runtimes/arn%3Aaws%3Aagent%2Fdesk/invocations", streams), func(q *request) {
				if q.URL.EscapedPath() != "/runtimes/arn%3Aaws%3Aagent%2Fdesk/invocations" {
					q.say(404, "")
					return
				}
				q.say(403, `{"message":"X-Amzn-Session-Id must have at least 33 characters"}`)
			}, nil),
			line: "Error: ", first: []string{"refused the request (403 Forbidden", "X-Amzn-Session-Id must have at least 33 characters"}, never: []string{"check the URL"},
		},
		{
			name: "agentstack#1594: a website is the endpoint", run: "send -a @ hello", code: 3,
			agent: func(q *request) {
				q.w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(q.w, "<!doctype html><html><head><title>Acme Portal</title></head><body>Hi</body></html>")
			},
			line: "Error: ", first: []string{"There is no agent card", "web page titled “Acme Portal”"},
		},
		{
			name: "python-aiplatform#6176: the card is only at /v1/card", run: "send -a @ hello",
			agent: func(q *request) {
				switch {
				case q.at("/v1/card"):
					q.say(200, card03("@/", streamsNo))
				case q.Request.Method == http.MethodGet:
					q.say(404, "")
				default:
					good03(q)
				}
			},
			also: []string{"Hello from the agent."},
		},
		{
			name: "agentgateway#2981: a doubled path", run: "send -a @ hello", code: 1,
			agent: speaking(card10("@/a/a/rpc", "JSONRPC", streams), func(q *request) {
				if q.URL.Path == "/a/rpc" {
					good10(q)
					return
				}
				q.say(404, `{"detail":"Not Found"}`)
			}, nil),
			line: "Error: ", first: []string{"Nothing exists at @/a/a/rpc", "/a twice"},
		},
		{
			name: "agents-cli#46: a token, and a card that names another host", run: "send -a @ --bearer lab hello", code: 4,
			agent: speaking(card03("http://agent.invalid/rpc", streams+`,"securitySchemes":{"jwt":{"type":"http","scheme":"bearer"}},"security":[{"jwt":[]}]`), good03, nil),
			line:  "Error: ", first: []string{"Nothing was sent: the credentials are for @, but the card names http://agent.invalid."},
		},
	}
}

// ofCredentials are about what stands between the user and the agent.
func ofCredentials() []report {
	return []report{
		{
			name: "archestra#6992: 401 at every path", run: "send -a @ --bearer lab hello", code: 4,
			agent: func(q *request) {
				q.say(401, `{"error":{"message":"Unauthenticated"}}`, "WWW-Authenticate", `Bearer realm="gateway"`)
			},
			line: "Error: ", first: []string{"@" + wellKnown + " answered 401 Unauthorized", "also with the credentials", "the path may be wrong"},
			also: []string{"Give the URL of the card itself"}, never: []string{"expired", "ENV-007"},
		},
		{
			name: "api7/aisix#911: a gateway drops the version", run: "send -a @ hello", code: 1,
			agent: speaking(card10("@/a2a/desk", "JSONRPC", streams), func(q *request) {
				q.fail(-32009, "A2A version '0.3' is not supported by this handler. Expected version '1.0'.")
			}, nil),
			line: "Error: ", first: []string{"Something on the way drops the header A2A-Version"}, also: []string{"VersionNotSupported"}, never: []string{"does not speak"},
		},
		{
			name: "a2a-python#502: 401 on the stream alone", run: "send -a @ hello", code: 4,
			agent: speaking(card03("@/", streams), good03, map[string]agent{
				"message/stream": func(q *request) { q.say(401, `{"error":"unauthorized"}`, "WWW-Authenticate", "Bearer") },
			}),
			line: "Error: ", first: []string{"requires credentials (401 Unauthorized"}, also: []string{"--bearer"},
		},
		{
			name: "hermes-agent#91687: a gateway's 504", run: "send -a @ hello", code: 1,
			agent: speaking(card10("@/", "JSONRPC", streamsNo), good10, map[string]agent{"SendMessage": func(q *request) {
				q.say(504, "<html><head><title>504 Gateway Time-out</title></head></html>", "Content-Type", "text/html", "Server", "awselb/2.0")
			}}),
			line: "Error: ", first: []string{"Something on the way to", "Server: awselb/2.0", "504 Gateway Timeout"},
			also: []string{"The agent may have taken the message.", "may start a second task", "task list", "--async"}, never: []string{"check the agent's log"},
		},
	}
}

// ofAnswers are about answers and objects in them.
func ofAnswers() []report {
	answers := func(result string) agent {
		return speaking(card03("@/", streamsNo), good03, map[string]agent{"message/send": func(q *request) { q.result(result) }})
	}
	return []report{
		{
			name: "solace-agent-mesh#656: the result null", run: "send -a @ hello", code: 1, agent: answers("null"),
			line: "Error: ", first: []string{"@/ answered 200 OK with the result null", "neither a task nor a message"},
			also: []string{"may start a second task", "ENV-005"}, never: []string{"empty body"},
		},
		{
			name: "pi-go#279: an empty 200", run: "send -a @ hello", code: 1,
			agent: speaking(card03("@/", streamsNo), good03, map[string]agent{"message/send": func(q *request) { q.say(200, "") }}),
			line:  "Error: ", first: []string{" answered 200 OK with an empty body"}, also: []string{"may start a second task"},
		},
		{
			name: "litellm#20278: NDJSON in place of events", run: "send -a @ hello",
			agent: speaking(card03("@/", streams), good03, map[string]agent{"message/stream": func(q *request) {
				q.say(200, fmt.Sprintf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", q.ID, working03, q.ID, final03), "Content-Type", "application/x-ndjson")
			}}),
			line: "Finding: ", first: []string{"The content type of the stream is application/x-ndjson, not text/event-stream."}, also: []string{"State: completed"},
		},
		{
			name: "kagent#2037: an empty kind", run: "send -a @ hello", agent: answers(strings.Replace(task03, `"kind":"text"`, `"kind":""`, 1)),
			line: "Finding: ", first: []string{"PART-001", "at /result/artifacts/0/parts/0/kind: The part's kind is empty."}, also: []string{"Hello from the agent."},
		},
		{
			name: "adk-python#3794: an echo, thoughts, a time without zone", run: "send -a @ hello",
			agent: answers(`{"kind":"task","id":"t1","contextId":"c1","status":{"state":"completed","timestamp":"2026-01-02T03:04:05.678"},` +
				`"history":[{"kind":"message","messageId":"u","role":"user","parts":[{"kind":"text","text":"hello"}]},` +
				`{"kind":"message","messageId":"m","role":"agent","parts":[{"kind":"text","text":"let me think","metadata":{"adk_thought":true}}]}],` +
				`"artifacts":[{"artifactId":"a","parts":[{"kind":"text","text":"let me think","metadata":{"adk_thought":true}},{"kind":"text","text":"Hello from the agent."}]}]}`),
			also: []string{"Hello from the agent."},
		},
	}
}

// ofStreams are about streams.
func ofStreams() []report {
	streamed := func(do agent) agent {
		return speaking(card03("@/", streams), good03, map[string]agent{"message/stream": do})
	}
	chunk := func(text, more string) string {
		return fmt.Sprintf(`{"kind":"artifact-update","taskId":"t1","contextId":"c1","artifact":{"artifactId":"a","parts":[%s]}%s}`, text, more)
	}
	text := func(s string) string { return fmt.Sprintf(`{"kind":"text","text":%q}`, s) }
	status := func(s string) string {
		return fmt.Sprintf(`{"kind":"status-update","taskId":"t1","contextId":"c1","status":{"state":"working","message":{"kind":"message","messageId":"m","role":"agent","parts":[%s]}},"final":false}`, text(s))
	}
	return []report{
		{
			name: "kubently#65: a stream without a byte", run: "send -a @ hello", code: 1, agent: streamed(func(q *request) { q.stream() }),
			line: "Error: ", first: []string{"closed the stream without sending an event"},
			also: []string{"may start a second task", "parley doctor @ --send"},
		},
		{
			name: "kubently#65: doctor", run: "doctor @ --send", code: 1, agent: streamed(func(q *request) { q.stream() }),
			line: "Error: ", first: []string{"closed the stream without sending an event"}, also: []string{"Sent again without a stream, the message is answered.", "--async"},
		},
		{
			name: "adk-python#6680: no final state, and an append to nothing", run: "send -a @ hello",
			agent: speaking(card03("@/", streams), good03, map[string]agent{"message/stream": func(q *request) { q.stream(working03, chunk(text("Hello"), `,"append":true`)) }}),
			line:  "Finding: ", first: []string{"append", "/result"}, also: []string{"STRM-006"},
		},
		{
			name: "a2a-java#811: final in 1.0", run: "send -a @ hello",
			agent: speaking(card10("@/", "JSONRPC", streams), good10, map[string]agent{"SendStreamingMessage": func(q *request) {
				q.stream(`{"task":`+working10+`}`, strings.Replace(final10, `"status":`, `"final":true,"status":`, 1))
			}}),
			line: "Finding: ", first: []string{"at /result/statusUpdate/final: The event has “final”, which 1.0 does not define."},
		},
		{
			name: "strands#1640: an append before the first chunk, and empty parts", run: "send -a @ hello",
			agent: streamed(func(q *request) {
				q.stream(working03, chunk(text("Hello from "), `,"append":true`), chunk("", `,"append":true`), chunk(text("the agent."), `,"append":true,"lastChunk":true`), final03)
			}),
			line: "Finding: ", first: []string{"at /result/artifact/parts: The artifact's list of parts is empty."},
			also: []string{"at /result: The chunk is to be appended to the artifact “a”, which does not exist.", "Hello from the agent."},
		},
		{
			name: "wso2#1383: a gateway cuts the stream", run: "send -a @ hello",
			agent: speaking(card10("@/", "JSONRPC", streams), good10, map[string]agent{
				"SendStreamingMessage": func(q *request) { q.stream(`{"task":` + working10 + `}`); q.cut() },
				"SubscribeToTask":      func(q *request) { q.stream(`{"task":` + task10 + `}`) },
			}),
			line: "Warning: ", first: []string{"The connection broke after"}, also: []string{"Parley subscribes to the task again.", "Hello from the agent."},
		},
		{
			name: "strands#3923: the question comes after the artifact", run: "send -a @ hello",
			agent: streamed(func(q *request) {
				q.stream(working03, chunk(text("Two flights."), `,"lastChunk":true`),
					`{"kind":"status-update","taskId":"t1","contextId":"c1","status":{"state":"input-required","message":{"kind":"message","messageId":"m","role":"agent","parts":[{"kind":"text","text":"Which one?"}]}},"final":true}`)
			}),
			line: "Warning: ", first: []string{"the task is input-required and waits for you"}, also: []string{"Two flights.", "Which one?"},
		},
		{
			name: "pi-go#273: a part for each token", run: "send -a @ hello",
			agent: streamed(func(q *request) {
				q.stream(working03, chunk(text("Hello ")+","+text("from "), ``), chunk(text("the ")+","+text("agent."), `,"append":true,"lastChunk":true`), final03)
			}),
			also: []string{"Hello from the agent."},
		},
		{
			name: "ark#566: statuses that repeat the text so far", run: "send -a @ hello --stream",
			agent: streamed(func(q *request) {
				q.stream(working03, status("Hello"), status("Hello from"), status("Hello from the agent."), chunk(text("Done."), `,"lastChunk":true`), final03)
			}),
			also: []string{"Hello from the agent."},
		},
		{
			name: "a2a-go#99: comments, events and data over lines", run: "send -a @ hello",
			agent: streamed(func(q *request) {
				q.w.Header().Set("Content-Type", "text/event-stream")
				half, rest, _ := strings.Cut(task03, `"status"`)
				fmt.Fprintf(q.w, ": ping\n\nevent: message\nid: 1\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s\ndata: \"status\"%s}\n\n: bye\n\n", q.ID, half, rest)
			}),
			also: []string{"Hello from the agent."},
		},
	}
}

// ofTasks are about tasks after the answer.
func ofTasks() []report {
	snake := func(q *request) {
		if m, _ := q.Params["message"].(map[string]any); m["message_id"] == nil {
			q.fail(-32602, "message.message_id is required")
			return
		}
		q.result(`{"id":"t1","context_id":"c1","kind":"task","status":{"state":"completed","message":{"role":"agent","kind":"message","message_id":"m","parts":[{"text":"Hello from the agent."}]}}}`)
	}
	mesh := func(card string) agent {
		return speaking(card, good03, map[string]agent{"tasks/send": snake, "message/send": snake})
	}
	var asked atomic.Int32
	var subscribed sync.Once
	over := make(chan struct{})
	return []report{
		{
			name: "a2a-dotnet#340: a subscription that outlives its task", run: "task subscribe t1 -a @",
			agent: speaking(card10("@/", "JSONRPC", streams), good10, map[string]agent{
				"SubscribeToTask": func(q *request) {
					q.stream(`{"task":` + working10 + `}`)
					subscribed.Do(func() { close(over) })
					q.hang()
				},
				"GetTask": func(q *request) {
					select {
					case <-over:
						q.result(task10)
					default:
						q.result(working10)
					}
				},
			}),
			line: "Warning: ", first: []string{"The stream of task t1 brought nothing", "although the task is over"}, also: []string{"Hello from the agent."}, never: []string{"task cancel"},
		},
		{
			name: "sam-doc behind a card of 0.3", run: "send -a @ hello", code: 1, agent: mesh(card03("@/", streamsNo)),
			line: "Error: ", first: []string{"message.message_id is required"}, also: []string{"pin the dialect sam-doc (--dialect sam-doc)"},
		},
		{
			name: "sam-doc behind a card of 0.1", run: "send -a @ hello", code: 1,
			agent: mesh(`{"name":"Desk","version":"1","url":"@/","capabilities":{},"authentication":{"schemes":[]},"skills":[{"id":"s","name":"s"}]}`),
			line:  "Error: ", first: []string{"message.message_id is required"}, also: []string{"--dialect sam-doc"},
		},
		{
			name: "sam-doc with the flag", run: "send -a @ --dialect sam-doc hello", agent: mesh(card03("@/", streamsNo)),
			line: "Warning: ", first: []string{"sam-doc"}, also: []string{"Hello from the agent."},
		},
		{
			name: "salesagent#2257: two replicas", run: "send -a @ hello",
			agent: speaking(card03("@/", streamsNo), good03, map[string]agent{
				"message/send": func(q *request) { q.result(working03) },
				"tasks/get": func(q *request) {
					if asked.Add(1) == 1 {
						q.fail(-32001, "Task not found")
						return
					}
					q.result(task03)
				},
			}),
			line: "Note: The agent sent task", first: []string{"did not know it", "copies of the agent may not share their tasks"}, also: []string{"Hello from the agent."},
		},
		{
			name: "a2a-java#791: a subscription to a task that is over", run: "task subscribe t1 -a @",
			agent: speaking(card10("@/", "JSONRPC", streams), good10, map[string]agent{
				"SubscribeToTask": func(q *request) { q.fail(-32004, "Task is in a terminal state") },
			}),
			also: []string{"State: completed", "Hello from the agent."}, never: []string{"check the URL"},
		},
	}
}
