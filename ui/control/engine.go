package control

import (
	"context"
	"encoding/json"

	"parley/a2a"
	"parley/session/engine"
	"parley/session/model"
)

// An Engine carries out what the user asks for. Every method returns at once; results arrive
// through the feed, as records, notes and signals. Methods without a result ignore an unknown
// number; a turn that is returned ends with the reason for a failure.
//
// The workbench runs on a [engine.Engine]; a recording has one that refuses.
type Engine interface {
	AgentEngine
	MessageEngine
	TaskEngine
	WebhookEngine
	WireEngine

	// Refusal returns a sentence that says why nothing can be sent to agents, empty if it can.
	// It is the same for the whole run.
	Refusal() string
}

var _ Engine = (*engine.Engine)(nil)

// An AgentEngine opens and closes agents, and sets how they are spoken to.
type AgentEngine interface {
	// Open starts to discover an agent by a reference, or by the name under which it is saved.
	// [log.SignalOpened] reports the result, also a failure.
	Open(ref string) a2a.AgentID
	// OpenChoice opens an agent for another card of the place where an agent was found, by its
	// index in [model.Agent.Choices]. It does nothing if that card is already open.
	OpenChoice(agent a2a.AgentID, index int)
	// Reopen discovers an agent again.
	Reopen(agent a2a.AgentID)
	// SearchCard discovers an agent again and, where one place asks for credentials, also tries
	// the others.
	SearchCard(agent a2a.AgentID)
	// ProbeDialect probes an agent's endpoint again, without side effects. The result becomes
	// part of the agent's profile.
	ProbeDialect(agent a2a.AgentID)
	// Dismiss closes an agent: its watch and its polls end. Pending turns continue.
	Dismiss(agent a2a.AgentID)
	// Restore opens a closed agent again.
	Restore(agent a2a.AgentID)
	// SetAgentName sets the name that the user gave an agent, empty for that of its card.
	SetAgentName(agent a2a.AgentID, name string)
	// SetConversationName sets the name that the user gave a conversation, empty for the words of
	// its first message.
	SetConversationName(agent a2a.AgentID, conv a2a.ConversationID, name string)
	// SetShownAgent sets which agent is on the screen, 0 for none. If it is away it is tried at
	// once, and from then on more often than others.
	SetShownAgent(agent a2a.AgentID)

	// Pins returns the pins of an agent.
	Pins(agent a2a.AgentID) a2a.Pins
	// Pin replaces the pins of an agent for later requests.
	Pin(agent a2a.AgentID, pins a2a.Pins)
	// RefreshCredentials makes later requests to an agent carry the credentials that its client
	// has now: the user has signed in or out.
	RefreshCredentials(agent a2a.AgentID)
	// SetExtensions sets the protocol extensions that all requests to an agent activate. It
	// leaves out URIs that are not valid in a header.
	SetExtensions(agent a2a.AgentID, uris []string)
	// ExtendedCard gets the extended card of an agent. It replaces the public card until the
	// login ends; the end of the turn says why there is none.
	ExtendedCard(agent a2a.AgentID) a2a.TurnID
	// PublicCard replaces the extended card by the public one. Nothing is sent.
	PublicCard(agent a2a.AgentID)

	// ReadCatalog reads a catalog of agents. Unlike the other methods it waits for the answers,
	// until ctx ends, so it does not belong into Update.
	ReadCatalog(ctx context.Context, ref string) a2a.Catalog
}

// A MessageEngine sends messages and downloads the files that answers refer to.
type MessageEngine interface {
	// NewConversation returns the number of a new conversation, which begins with its first
	// message or task.
	NewConversation(agent a2a.AgentID) a2a.ConversationID
	// Send sends a message and follows the answer: a stream to its end, a plain answer by
	// getting the task. It waits while the agent is being discovered.
	Send(to model.Target, m *a2a.Message, o model.SendOptions) a2a.TurnID
	// Stop ends a turn on this side. The agent does not hear of it.
	Stop(turn a2a.TurnID)
	// Mask returns a text without the secrets of this session and without tokens of a known
	// shape.
	Mask(text string) string

	// DownloadArtifact downloads an artifact:// URI from the gateway of a Solace Agent Mesh.
	DownloadArtifact(agent a2a.AgentID, uri string) a2a.TurnID
	// DownloadFile downloads the file at the http or https URI of a part. A redirect to an
	// origin that is not among besides ends the turn with [a2a.ClassOrigin].
	DownloadFile(agent a2a.AgentID, uri string, besides ...string) a2a.TurnID
	// Trusts reports whether an agent's credentials are sent when a file is downloaded.
	Trusts(agent a2a.AgentID, uri string) bool
}

// A TaskEngine asks agents about their tasks, whether this session began them or not. A task
// that the session knows is shown in its conversation, any other one in the conversation conv,
// a new one if that is 0. A history length of nil lets the agent choose.
type TaskEngine interface {
	// Get gets a task once.
	Get(agent a2a.AgentID, taskID string, conv a2a.ConversationID, historyLength *int) a2a.TurnID
	// Await polls a task until it is over or waits for the user.
	Await(agent a2a.AgentID, taskID string, conv a2a.ConversationID, historyLength *int) a2a.TurnID
	// Subscribe opens a stream of a task. With toEnd the task is polled if the stream ends too early.
	Subscribe(agent a2a.AgentID, taskID string, conv a2a.ConversationID, toEnd bool) a2a.TurnID
	// List gets a page of an agent's tasks.
	List(agent a2a.AgentID, filter a2a.ListFilter, historyLength *int) a2a.TurnID
	// Cancel cancels a task.
	Cancel(agent a2a.AgentID, taskID string, conv a2a.ConversationID) a2a.TurnID
	// MergeArtifacts merges the scattered artifacts of a task, see [model.Task.Scattered].
	// Nothing is sent.
	MergeArtifacts(agent a2a.AgentID, taskID string)
	// SetTaskMetadata sets the metadata, a JSON object or nil, of later requests about tasks to
	// an agent, where its dialect has a member for it.
	SetTaskMetadata(agent a2a.AgentID, metadata json.RawMessage)

	// StartAuthPoll starts the auth poll of a task and reports whether there is one now: tasks in
	// other states have none, nor where the dialect has no get.
	StartAuthPoll(agent a2a.AgentID, taskID string) bool
	// StopAuthPoll stops the auth poll of a task until it is started again or a message is sent
	// to the task.
	StopAuthPoll(agent a2a.AgentID, taskID string)
	// HurryAuthPolls polls every such task soon.
	HurryAuthPolls()
}

// A WebhookEngine registers webhooks for push notifications about tasks. Registrations arrive
// as events of the turn.
type WebhookEngine interface {
	// Webhooks returns the URL below which Parley receives push notifications, empty
	// before the first webhook is registered.
	Webhooks() string
	// PushListen registers a webhook of Parley. The error says why nothing can be received, as
	// a sentence without its full stop.
	PushListen(agent a2a.AgentID, taskID string) (a2a.TurnID, error)
	// PushSet registers any webhook.
	PushSet(agent a2a.AgentID, taskID string, config a2a.PushConfig) a2a.TurnID
	// PushGet gets one registration; dialects before 0.2.5 have only one, without id.
	PushGet(agent a2a.AgentID, taskID, id string) a2a.TurnID
	// PushList gets the registrations of a task, one page where the dialect has pages.
	PushList(agent a2a.AgentID, taskID string, filter a2a.ListFilter) a2a.TurnID
	// PushDelete deletes a registration.
	PushDelete(agent a2a.AgentID, taskID, id string) a2a.TurnID
}

// A WireEngine sends requests written by hand, and injects faults.
type WireEngine interface {
	// Presets returns a request for every method of an agent's dialect.
	Presets(agent a2a.AgentID) []model.Preset
	// NewID returns an id for a request or a message, never the same twice.
	NewID() string
	// SendRaw sends a request unchanged, once, and does not follow the answer.
	SendRaw(agent a2a.AgentID, conv a2a.ConversationID, r a2a.RawRequest) a2a.TurnID
	// InjectFault injects a fault into an open stream; a note of type [log.NoteVerdict] reports
	// the verdict. It returns why that is not possible, empty if it is.
	InjectFault(x a2a.ExchangeID, f engine.Fault) (refused string)
	// ReadingPaused reports whether [engine.FaultPause] paused an open stream.
	ReadingPaused(x a2a.ExchangeID) bool
}
