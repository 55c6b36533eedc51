package ui

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"parley/a2a"
	"parley/session/engine"
	"parley/session/model"
)

// RecordingEngine returns the engine of a recording. It has no agents and does nothing; its
// Refusal says why.
func RecordingEngine() Engine { return recordingEngine{} }

// UnconfirmedEngine returns that of a recording that may go on: until the user has confirmed whom it
// contacts, it does nothing either.
func UnconfirmedEngine() Engine { return recordingEngine{mayGoOn: true} }

type recordingEngine struct{ mayGoOn bool }

// Refusal says that this is a recording.
func (e recordingEngine) Refusal() string {
	if e.mayGoOn {
		return "This is a recording, and nothing can be sent; the finder's “Go on with this session” changes that."
	}
	return "This is a recording; nothing can be sent."
}

// The other methods do nothing, see [Engine].

func (recordingEngine) Open(string) (none a2a.AgentID)                              { return none }
func (recordingEngine) OpenChoice(a2a.AgentID, int)                                 {}
func (recordingEngine) Reopen(a2a.AgentID)                                          {}
func (recordingEngine) SearchCard(a2a.AgentID)                                      {}
func (recordingEngine) ProbeDialect(a2a.AgentID)                                    {}
func (recordingEngine) Dismiss(a2a.AgentID)                                         {}
func (recordingEngine) Restore(a2a.AgentID)                                         {}
func (recordingEngine) SetAgentName(a2a.AgentID, string)                            {}
func (recordingEngine) SetConversationName(a2a.AgentID, a2a.ConversationID, string) {}
func (recordingEngine) SetShownAgent(a2a.AgentID)                                   {}
func (recordingEngine) Pins(a2a.AgentID) (none a2a.Pins)                            { return none }
func (recordingEngine) Pin(a2a.AgentID, a2a.Pins)                                   {}
func (recordingEngine) RefreshCredentials(a2a.AgentID)                              {}
func (recordingEngine) SetExtensions(a2a.AgentID, []string)                         {}
func (recordingEngine) ReadCatalog(context.Context, string) (none a2a.Catalog)      { return none }
func (recordingEngine) ExtendedCard(a2a.AgentID) (none a2a.TurnID)                  { return none }
func (recordingEngine) PublicCard(a2a.AgentID)                                      {}

func (recordingEngine) NewConversation(a2a.AgentID) (none a2a.ConversationID) { return none }
func (recordingEngine) Send(model.Target, *a2a.Message, model.SendOptions) (none a2a.TurnID) {
	return none
}
func (recordingEngine) Stop(a2a.TurnID)                                        {}
func (recordingEngine) Mask(text string) string                                { return a2a.MaskText(text) }
func (recordingEngine) DownloadArtifact(a2a.AgentID, string) (none a2a.TurnID) { return none }
func (recordingEngine) DownloadFile(a2a.AgentID, string, ...string) (none a2a.TurnID) {
	return none
}
func (recordingEngine) Trusts(a2a.AgentID, string) bool { return false }

func (recordingEngine) Get(a2a.AgentID, string, a2a.ConversationID, *int) (none a2a.TurnID) {
	return none
}
func (recordingEngine) Await(a2a.AgentID, string, a2a.ConversationID, *int) (none a2a.TurnID) {
	return none
}
func (recordingEngine) Subscribe(a2a.AgentID, string, a2a.ConversationID, bool) (none a2a.TurnID) {
	return none
}
func (recordingEngine) List(a2a.AgentID, a2a.ListFilter, *int) (none a2a.TurnID) { return none }
func (recordingEngine) Cancel(a2a.AgentID, string, a2a.ConversationID) (none a2a.TurnID) {
	return none
}
func (recordingEngine) MergeArtifacts(a2a.AgentID, string)           {}
func (recordingEngine) SetTaskMetadata(a2a.AgentID, json.RawMessage) {}
func (recordingEngine) StartAuthPoll(a2a.AgentID, string) bool       { return false }
func (recordingEngine) StopAuthPoll(a2a.AgentID, string)             {}
func (recordingEngine) HurryAuthPolls()                              {}

func (recordingEngine) Webhooks() string { return "" }
func (e recordingEngine) PushListen(a2a.AgentID, string) (none a2a.TurnID, err error) {
	return none, errors.New(strings.TrimSuffix(e.Refusal(), "."))
}
func (recordingEngine) PushSet(a2a.AgentID, string, a2a.PushConfig) (none a2a.TurnID)  { return none }
func (recordingEngine) PushGet(a2a.AgentID, string, string) (none a2a.TurnID)          { return none }
func (recordingEngine) PushList(a2a.AgentID, string, a2a.ListFilter) (none a2a.TurnID) { return none }
func (recordingEngine) PushDelete(a2a.AgentID, string, string) (none a2a.TurnID)       { return none }

func (recordingEngine) Presets(a2a.AgentID) []model.Preset { return nil }
func (recordingEngine) NewID() string                      { return "" }
func (recordingEngine) SendRaw(a2a.AgentID, a2a.ConversationID, a2a.RawRequest) (none a2a.TurnID) {
	return none
}
func (e recordingEngine) InjectFault(a2a.ExchangeID, engine.Fault) string { return e.Refusal() }
func (recordingEngine) ReadingPaused(a2a.ExchangeID) bool                 { return false }
