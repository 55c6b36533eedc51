package ui

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
)

// comes plays the answer to a download: a body, or a refusal without one.
func (d *desk) comes(turn a2a.TurnID, uri, at, body, sentence, class string) {
	d.t.Helper()
	call := &a2a.Call{Agent: 1, Turn: turn, Op: a2a.OpArtifact, URI: uri}
	id := a2a.RecordID(d.model.state.Log.Len() + 1)
	items := []log.Item{{Record: a2a.Record{ID: id, Exchange: id, Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Time: d.clock, Head: &a2a.Head{Method: "GET", URL: at}}}}
	put := func(r a2a.Record) {
		r.ID, r.Exchange, r.Call, r.Time = id+a2a.RecordID(len(items)), id, call, d.clock
		it := log.Item{Record: r}
		if r.Kind == a2a.KindBody {
			it.Update = a2a.Decode(call, a2a.Input{Body: r.Raw, Status: 200})
		}
		items = append(items, it)
	}
	end := &a2a.End{Reason: a2a.Refused, Class: class, Sentence: sentence}
	if sentence == "" {
		put(a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Header: http.Header{"Content-Type": {"text/csv"}}}})
		put(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(body)})
		end = &a2a.End{Reason: a2a.Ended}
	}
	put(a2a.Record{Kind: a2a.KindEnd, End: end})
	items = append(items, log.Item{Signal: &log.Signal{Kind: log.SignalTurnOver, Agent: 1, Turn: turn, Sentence: sentence, Class: class, Time: d.clock}})
	d.send(batchMsg{Items: items})
	d.wait(100 * time.Millisecond)
}

const almanac = "https://files.example/almanac"

func withDownload(t *testing.T, do func(d *desk, e *fakeEngine)) {
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.gave(fmt.Sprintf(`{"url":%q,"filename":"almanac.csv"}`, almanac))
		do(d, d.engine)
	})
}

func TestAFileIsFetchedWhenAskedForAndShown(t *testing.T) {
	t.Parallel()
	withDownload(t, func(d *desk, e *fakeEngine) {
		d.press("space")
		d.sees("It has not been downloaded", "ask before they")
		d.press("V")
		d.sees("the link leads to files.example", "download it, at most 64", "without credentials")
		if got := e.CallsOf("file"); len(got) > 0 {
			t.Fatalf("downloaded without being asked: %q", got)
		}
		d.press("f")
		d.says("downloading almanac.csv from files.example")
		d.comes(91, almanac, almanac, "port,range\nBrest,6.1\n", "", "")
		d.sees("as table of 1 row", "Brest")
		d.press("esc")
		d.sees("almanac.csv", "from files.example", "1  Brest")
		d.press("w")
		d.sees("saved almanac.csv, 21 B")
		if data, err := os.ReadFile(filepath.Join(d.model.opts.Dir, "almanac.csv")); err != nil || string(data) != "port,range\nBrest,6.1\n" {
			t.Errorf("the file holds %q, %v", data, err)
		}
		if got := e.CallsOf("file"); len(got) != 1 {
			t.Errorf("got downloads %q, want one", got)
		}
	})
}

func TestAFileThatComesLaterStealsNothing(t *testing.T) {
	t.Parallel()
	withDownload(t, func(d *desk, e *fakeEngine) {
		e.TrustsAll = true
		d.press("V")
		d.sees("with your credentials")
		d.press("f")
		d.model.focusComposer()
		d.write("I write on")
		d.comes(91, almanac, almanac, "a,b\n1,2\n", "", "")
		d.sees("almanac.csv was downloaded: V shows it", "I write on")
		if d.model.screen.over != noOverlay {
			t.Errorf("got overlay %q over the text that is being written, want none", d.model.screen.over)
		}
	})
}

func TestARedirectElsewhereIsAskedAbout(t *testing.T) {
	t.Parallel()
	withDownload(t, func(d *desk, e *fakeEngine) {
		d.press("w", "f")
		d.comes(91, almanac, "https://bucket.example/x?sig=•••", "", "https://files.example redirects to https://bucket.example.", a2a.ClassOrigin)
		d.sees("files.example redirects to bucket.example", "download it")
		d.press("f")
		if got := strings.Join(e.CallsOf("file"), "|"); got != almanac+"|"+almanac+" https://bucket.example" {
			t.Errorf("got downloads %q, want one to the link and one with the other origin allowed", got)
		}
		d.comes(92, almanac, "https://bucket.example/x?sig=•••", "a,b\n1,2\n", "", "")
		d.sees("saved almanac.csv")
	})
}

func TestAFileThatCannotBeHadSaysWhyAndARecordingFetchesNothing(t *testing.T) {
	t.Parallel()
	withDownload(t, func(d *desk, e *fakeEngine) {
		d.press("V", "f")
		d.comes(91, almanac, almanac, "", "files.example has no such file (404 Not Found).", a2a.ClassStatus)
		d.says("has no such file (404 Not Found)")
		d.press("V", "f")
		var stop bool
		for _, entry := range d.model.entries() {
			stop = stop || entry.Name == "Stop downloading almanac.csv"
		}
		if !stop {
			t.Error("no command stops the download")
		}
		d.model.opts.Engine = RecordingEngine()
		d.press("V", "f")
		d.sees("This is a recording; nothing can be sent.")
	})
}
