package control

import (
	"encoding/json"

	"parley/a2a"
	"parley/session/engine"
	"parley/session/model"
)

// An Engine does what the user asks for. Every method returns at once; what comes of it
// arrives through the feed, as records, notes and signals. A number that names nothing is
// ignored by methods that return nothing; a turn that is returned ends with the reason.
//
// The workbench runs on a [engine.Engine]; a recording has one that refuses.
type Engine interface {
	AgentEngine
	MessageEngine
	TaskEngine
	WebhookEngine
	WireEngine

	// Refusal says in a sentence why nothing can be asked of agents, empty if it can. It
	// is the same for the whole run.
	Refusal() string
}

var _ Engine = (*engine.Engine)(nil)

// An AgentEngine opens and closes agents, and decides how they are spoken to.
type AgentEngine interface {
	// Open begins to discover an agent by a reference, or by the name under which it is
	// saved. [log.SignalOpened] tells what was found, also that nothing was.
	Open(ref string) a2a.AgentID
	// OpenChoice opens an agent for another card of the place where an agent was found, by
	// its index in [model.Agent.Choices]. It does nothing if that card is open already.
	OpenChoice(agent a2a.AgentID, index int)
	// Reopen discovers an agent again: its card may have changed, or there was none.
	Reopen(agent a2a.AgentID)
	// SearchCard discovers an agent again and, where one place asks for credentials, goes
	// on to the others.
	SearchCard(agent a2a.AgentID)
	// ProbeDialect asks an agent's endpoint again how it speaks, without side effects. The
	// answer is added to the agent's profile.
	ProbeDialect(agent a2a.AgentID)
	// Dismiss closes an agent: nobody tries to reach it or asks for its tasks any more.
	// What is under way goes on.
	Dismiss(agent a2a.AgentID)
	// Restore takes back that an agent was closed.
	Restore(agent a2a.AgentID)
	// SetAgentName notes the name that the user gave an agent, empty for that of its card.
	SetAgentName(agent a2a.AgentID, name string)
	// SetShownAgent notes which agent is on the screen, 0 for none. If it is away it is
	// tried at once, and from then on more often than others.
	SetShownAgent(agent a2a.AgentID)

	// Pins returns what the user decided about how an agent is spoken to.
	Pins(agent a2a.AgentID) a2a.Pins
	// Pin replaces that. It holds for requests that begin afterwards.
	Pin(agent a2a.AgentID, pins a2a.Pins)
	// SetExtensions decides which protocol extensions all requests to an agent ask for.
	// URIs that cannot stand in a header are left out.
	SetExtensions(agent a2a.AgentID, uris []string)
	// ExtendedCard asks for the card that an agent shows to those it knows. It replaces
	// the public card until the login ends; the end of the turn says why there is none.
	ExtendedCard(agent a2a.AgentID) a2a.TurnID
	// PublicCard replaces the extended card by the public one. Nothing is sent.
	PublicCard(agent a2a.AgentID)
}

// A MessageEngine sends messages and downloads the files that answers refer to.
type MessageEngine interface {
	// NewConversation returns the number of a conversation that begins with its first
	// message or task.
	NewConversation(agent a2a.AgentID) a2a.ConversationID
	// Send sends a message and follows what comes of it: a stream to its end, a plain
	// answer by asking for the task. It waits for an agent that is being discovered.
	Send(to model.Target, m *a2a.Message, o model.SendOptions) a2a.TurnID
	// Stop cancels whatever is under way for a turn on this side. The agent is not told.
	Stop(turn a2a.TurnID)
	// Mask returns a text without the secrets of this session, and without tokens that are
	// known by their shape.
	Mask(text string) string

	// DownloadArtifact asks the gateway of a Solace Agent Mesh for what an artifact:// URI
	// names.
	DownloadArtifact(agent a2a.AgentID, uri string) a2a.TurnID
	// DownloadFile gets the file that a part names by an http or https URI. A redirect to
	// an origin that is not among besides ends the turn with [a2a.ClassOrigin].
	DownloadFile(agent a2a.AgentID, uri string, besides ...string) a2a.TurnID
	// Trusts reports whether an agent's credentials go along when a file is downloaded.
	Trusts(agent a2a.AgentID, uri string) bool
}

// A TaskEngine asks agents about their tasks, whether this session began them or not. A
// task that the session knows shows up where it belongs, any other one in the conversation
// that is named, a new one if that is 0. A history length of nil leaves it to the agent
// how many messages come along.
type TaskEngine interface {
	// Get asks for a task once.
	Get(agent a2a.AgentID, taskID string, conv a2a.ConversationID, historyLength *int) a2a.TurnID
	// Await asks for a task until it is over or waits for the user.
	Await(agent a2a.AgentID, taskID string, conv a2a.ConversationID, historyLength *int) a2a.TurnID
	// Subscribe opens a stream of a task, and asks for the task if that ends too early.
	Subscribe(agent a2a.AgentID, taskID string, conv a2a.ConversationID) a2a.TurnID
	// List asks for a page of an agent's tasks.
	List(agent a2a.AgentID, filter a2a.ListFilter, historyLength *int) a2a.TurnID
	// Cancel asks an agent to end a task.
	Cancel(agent a2a.AgentID, taskID string, conv a2a.ConversationID) a2a.TurnID
	// MergeArtifacts makes the scattered artifacts of a task one, see
	// [model.Task.Scattered]. Nothing is sent.
	MergeArtifacts(agent a2a.AgentID, taskID string)
	// SetTaskMetadata decides which metadata, a JSON object or nil, goes with the requests
	// about tasks to an agent from now on, where its dialect has a member for it.
	SetTaskMetadata(agent a2a.AgentID, metadata json.RawMessage)

	// StartAuthPoll asks now and then for a task that waits for credentials, until it goes
	// on: they may be given elsewhere. It does nothing for other tasks, and where the
	// dialect has no get.
	StartAuthPoll(agent a2a.AgentID, taskID string)
	// StopAuthPoll ends that until it is started again or a message is sent to the task.
	StopAuthPoll(agent a2a.AgentID, taskID string)
	// HurryAuthPolls asks soon for every task that is polled so.
	HurryAuthPolls()
}

// A WebhookEngine has agents send push notifications about their tasks. Registrations come
// back as events of the turn.
type WebhookEngine interface {
	// Webhooks returns the URL below which Parley receives push notifications, empty
	// before the first webhook is registered.
	Webhooks() string
	// PushListen registers a webhook of Parley's. The error says why nothing can be
	// received, as a sentence without its full stop.
	PushListen(agent a2a.AgentID, taskID string) (a2a.TurnID, error)
	// PushSet registers any webhook.
	PushSet(agent a2a.AgentID, taskID string, config a2a.PushConfig) a2a.TurnID
	// PushGet asks for one registration; dialects before 0.2.5 have only one, without id.
	PushGet(agent a2a.AgentID, taskID, id string) a2a.TurnID
	// PushList asks for the registrations of a task, a page where the dialect has pages.
	PushList(agent a2a.AgentID, taskID string, filter a2a.ListFilter) a2a.TurnID
	// PushDelete ends a registration.
	PushDelete(agent a2a.AgentID, taskID, id string) a2a.TurnID
}

// A WireEngine sends requests as they are written, and disturbs streams.
type WireEngine interface {
	// Presets returns a request for every method of an agent's dialect, to begin with.
	Presets(agent a2a.AgentID) []model.Preset
	// NewID makes an id for a request or a message, never the same twice.
	NewID() string
	// SendRaw sends a request as it is, once, and follows nothing up.
	SendRaw(agent a2a.AgentID, conv a2a.ConversationID, r a2a.RawRequest) a2a.TurnID
	// InjectFault does something to an open stream, to see what the agent makes of it; a
	// note of type [log.NoteVerdict] tells what came of it. It returns why it cannot
	// be done, empty if it is done.
	InjectFault(x a2a.ExchangeID, f engine.Fault) (refused string)
	// ReadingPaused reports whether an open stream is not read because of
	// [engine.FaultPause].
	ReadingPaused(x a2a.ExchangeID) bool
}
