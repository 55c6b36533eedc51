package journal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/a2a"
	"parley/internal/sharedfile"
	"parley/session/log"
	"parley/session/sessiontest"
)

// growing follows a file. step lets the reader look for new records once, unless the reader has already
// seen the end of the file, which it may see before it pauses.
func growing(t *testing.T, path string) (feed *log.Feed, step func(), over <-chan struct{}) {
	t.Helper()
	pauses := make(chan time.Time)
	rec, err := OpenGrowing(path, func() <-chan time.Time { return pauses })
	if err != nil {
		t.Fatal(err)
	}
	feed = log.NewFeed()
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() { cancel(); <-done })
	go func() {
		rec.Replay(ctx, feed, Unpaced)
		close(done)
	}()
	return feed, func() {
		select {
		case pauses <- time.Time{}:
		case <-done:
		}
	}, done
}

// lines returns the header and the lines of a short session.
func lines() (header string, records []string) {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	p.Event(x, call, sessiontest.StatusWord("WORKING"))
	p.Event(x, call, sessiontest.ChunkOf("a", "text", true))
	for id := range a2a.RecordID(p.State.Log.Len()) {
		records = append(records, string(appendRecord(nil, &p.State.Log.At(id+1).Record)))
	}
	return string(appendHeader(nil, sessiontest.Epoch)), records
}

// A held recording gives its first records, and the rest when its reader may go on.
func TestAHeldRecordingWaitsBehindItsFirstRecords(t *testing.T) {
	t.Parallel()
	header, records := lines()
	text := header + strings.Join(records, "")
	_, event, _ := strings.Cut(records[len(records)-1], ",")
	for id := len(records) + 1; len(text) < 4*firstBytes; id++ {
		text += fmt.Sprintf(`{"id":%d,%s`, id, event)
	}
	path := filepath.Join(t.TempDir(), "long.jsonl")
	add(t, path, text)
	for _, ends := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			rec, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			ctx, end := context.WithCancel(t.Context())
			defer end()
			ready, feed, over := make(chan struct{}), log.NewFeed(), make(chan struct{})
			rec.Hold(ready)
			go func() {
				rec.Replay(ctx, feed, Unpaced)
				close(over)
			}()
			synctest.Wait()
			first := feed.Len()
			if most := strings.Count(text[:firstBytes], "\n"); first == 0 || first > most {
				t.Errorf("got %d records before the rest may be read, want 1 to %d", first, most)
			}
			if ends {
				end()
			} else {
				close(ready)
			}
			<-over
			if got, all := feed.Len(), strings.Count(text, "\n")-1; !ends && got < all {
				t.Errorf("got %d records in the end, want all %d", got, all)
			}
		})
	}
}

func add(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// Records appear as they are appended, also where a write ends inside a line.
func TestAGrowingFileIsFollowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	header, records := lines()
	add(t, path, "")
	feed, step, _ := growing(t, path)
	step()
	add(t, path, header+records[0]+records[1][:20])
	step()
	sessiontest.Drain(t, feed, 1, 0)
	step()
	if n := feed.Len(); n != 0 {
		t.Fatalf("got %d items, want none before the line ends", n)
	}
	add(t, path, records[1][20:]+records[2])
	step()
	items := sessiontest.Drain(t, feed, 2, 0)
	if items[0].Record.ID != 2 || items[1].Update.Events[0].Kind != a2a.EventArtifact {
		t.Errorf("got %+v, want records 2 and 3, decoded", items)
	}
}

// What ends the following is said in one sentence, and what was open is shown as cut.
func TestAFollowedFileThatGoesAwayIsReported(t *testing.T) {
	header, records := lines()
	for what, do := range map[string]func(path string) error{
		"removed":                  os.Remove,
		"replaced by another file": func(path string) error { return replaceFile(path, header) },
		"cut short":                func(path string) error { return os.Truncate(path, 10) },
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		add(t, path, header+strings.Join(records[:2], ""))
		feed, step, over := growing(t, path)
		sessiontest.Drain(t, feed, 2, 0)
		if err := do(path); err != nil {
			t.Fatal(err)
		}
		step()
		<-over
		items := sessiontest.Drain(t, feed, 2, 0)
		if end := items[0].Record.End; end == nil || end.Reason != a2a.Cut {
			t.Errorf("%s: got %+v, want the end of the open exchange", what, items[0].Record)
		}
		if s := items[1].Signal; s == nil || !strings.Contains(s.Sentence, path+" was "+what) {
			t.Errorf("%s: got %+v, want a sentence that says so", what, items[1])
		}
	}
}

// A Parley that ends, or is killed, writes its session no more: what was open is shown as cut, and
// not as if it went on.
func TestAFollowedSessionEndsWithItsParley(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is read there cannot be told from one that is written")
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	header, records := lines()
	add(t, path, header+records[0])
	writer, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := sharedfile.Hold(writer); err != nil {
		t.Fatal(err)
	}
	feed, step, over := growing(t, path)
	step()
	sessiontest.Drain(t, feed, 1, 0)
	add(t, path, records[1])
	writer.Close()
	step()
	<-over
	items := sessiontest.Drain(t, feed, 2, 0)
	if items[0].Record.Kind != a2a.KindEvent {
		t.Errorf("got %+v, want the event that was written last", items[0].Record)
	}
	if end := items[1].Record.End; end == nil || end.Class != a2a.ClassUnrecorded {
		t.Errorf("got %+v, want the end of the open exchange", items[1].Record)
	}
}

// replaceFile puts another file in the place of one, as a rotation does.
func replaceFile(path, text string) error {
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// A recording is replayed again as it was when it was opened, also after its file is gone.
func TestARecordingIsReplayedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	header, records := lines()
	add(t, path, header+strings.Join(records[:2], ""))
	rec, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	add(t, path, records[2])
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		n, read := 0, int64(0)
		again := rec.Again(nil)
		again.Report(func(to int64) { read = to })
		if signals := again.Items(t.Context(), func(items []log.Item) { n += len(items) }); len(signals) != 0 || n != 3 || read != rec.Size() {
			t.Errorf("got %d items, %d bytes, signals %v; want 2 records and an end, %d bytes", n, read, signals, rec.Size())
		}
	}
}
