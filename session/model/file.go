package model

import (
	"net/http"
	"strings"

	"parley/a2a"
	"parley/session/log"
)

// A File is a downloaded file of the address that a part names.
type File struct {
	URI       string // as in the record: with masks in place of secrets
	MediaType string // as the server says
	Data      []byte
	Record    a2a.RecordID
}

// File returns the newest file that was downloaded from an address, nil if there is none.
func (a *Agent) File(uri string) *File {
	for i := len(a.Files) - 1; i >= 0; i-- {
		if f := &a.Files[i]; f.URI == uri || unmasks(f.URI, uri) {
			return f
		}
	}
	return nil
}

// unmasks reports whether a URI is another one with its masks filled in.
func unmasks(masked, uri string) bool {
	pieces := a2a.SplitMasks(masked)
	if len(pieces) == 1 {
		return false
	}
	rest, ok := strings.CutPrefix(uri, pieces[0])
	for _, piece := range pieces[1 : len(pieces)-1] {
		i := strings.Index(rest, piece)
		if !ok || i < 0 {
			return false
		}
		rest = rest[i+len(piece):]
	}
	return ok && strings.HasSuffix(rest, pieces[len(pieces)-1])
}

// noteFile takes a downloaded file, if a record is one.
func (s *State) noteFile(x *exchange, p *log.Item, ch *Change) {
	r, events := &p.Record, p.Update.Events
	if x.call.Op != a2a.OpArtifact || x.agent == nil || r.Kind != a2a.KindBody || r.Torn || r.Omitted > 0 ||
		len(events) != 1 || events[0].Kind != a2a.EventNotA2A || x.status/100 != 2 || x.status == http.StatusPartialContent {
		return
	}
	x.agent.Files = append(x.agent.Files, File{URI: x.call.URI, MediaType: x.media, Data: r.Raw, Record: r.ID})
	ch.Agents = true
}

// leavesAgent reports whether a call goes to the address that a part names, or to a catalog: its
// answer says nothing about the agent.
func leavesAgent(call *a2a.Call) bool {
	return call.Op == a2a.OpCatalog || call.Op == a2a.OpArtifact && !a2a.IsArtifactURI(call.URI)
}
