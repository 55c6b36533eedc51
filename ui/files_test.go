package ui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/ui/control"
)

// gave plays an answer with parts, each a JSON object, and moves the cursor to it.
func (d *desk) gave(parts ...string) {
	d.t.Helper()
	rec := journal.NewRecorder(d.feed, nil)
	rec.Put(a2a.Record{Kind: a2a.KindNote, Time: d.clock, Note: &a2a.Note{Type: log.NoteOpened, Attrs: map[string]string{
		"agent": "1", "ref": "http://agent.example", "profile": `{"Dialect":"1.0","Endpoint":"http://agent.example"}`,
	}}}, a2a.Update{})
	call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpSend, Dialect: a2a.V10}
	request := rec.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Time: d.clock, Raw: []byte(`{}`)}, a2a.Update{})
	body := []byte(`{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[` + strings.Join(parts, ",") + `]}}}`)
	rec.Put(a2a.Record{Exchange: request, Kind: a2a.KindBody, Dir: a2a.In, Call: call, Time: d.clock, Raw: body},
		a2a.Decode(call, a2a.Input{Body: body, Status: 200}))
	rec.Put(a2a.Record{Exchange: request, Kind: a2a.KindEnd, Call: call, Time: d.clock, End: &a2a.End{Reason: a2a.Ended}}, a2a.Update{})
	d.wait(100 * time.Millisecond)
	d.model.goTo(control.Place{Agent: 1, Conversation: 1})
	d.send(nil)
	d.model.setFocus(control.OnChat)
	d.send(nil)
}

// file returns a part with 5 bytes.
func file(name string) string {
	return fmt.Sprintf(`{"raw":"aGVsbG8=","filename":%q,"mediaType":"text/plain"}`, name)
}

// saved lists the directory for files.
func (d *desk) saved() string {
	d.t.Helper()
	entries, err := os.ReadDir(d.model.opts.Dir)
	if err != nil {
		d.t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " | ")
}

func TestAFileIsSavedUnderASafeNameAndOverwritesNothing(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 40, Options{}, func(d *desk) {
		outside := filepath.Join(filepath.Dir(d.model.opts.Dir), "x.txt")
		d.gave(file("../../x.txt"))
		d.press("w")
		d.says("saved x.txt, 5 B, in " + d.model.opts.Dir[:20])
		d.press("w")
		d.sees("saved x (2).txt, 5 B, in")
		if got := d.saved(); got != "x (2).txt | x.txt" {
			t.Errorf("got files %s, want x (2).txt | x.txt", got)
		}
		if data, err := os.ReadFile(filepath.Join(d.model.opts.Dir, "x.txt")); err != nil || string(data) != "hello" {
			t.Errorf("the file holds %q, %v", data, err)
		}
		if _, err := os.Stat(outside); err == nil {
			t.Error("the file was saved outside the directory")
		}
		if err := os.RemoveAll(d.model.opts.Dir); err != nil {
			t.Fatal(err)
		}
		d.press("w")
		d.sees("Could not save x.txt: no such file or directory.")
	})
}

func TestNamesOfFilesReachNoTerminalAndNoOtherPlace(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.gave(`{"raw":"aGVsbG8=","filename":"`+strings.Repeat("🧳", 1000)+`.png"}`, `{"raw":"aGVsbG8=","filename":"a\u001b[2J\u202egnp.exe"}`, file("CON"), file(".."), `{"raw":"***","filename":"b.bin"}`)
		d.press("w")
		d.sees("a[2Jgnp.exe", "_CON", "file.txt", "b.bin", "all of them")
		d.press("a")
		d.says("saved 4 of 5 files, but not b.bin: its content is not base64. The files are in ")
		if got := d.saved(); !strings.Contains(got, "_CON.txt | a[2Jgnp.exe | file.txt | "+strings.Repeat("🧳", 59)+".png") {
			t.Errorf("got files %s, want the sanitised names", got)
		}
	})
}

func TestAFileIsOpenedAfterItWasSavedOnce(t *testing.T) {
	t.Parallel()
	var opened []string
	fail := errors.New("this system has no xdg-open")
	bubble(t, 160, 40, Options{Browse: func(path string) error { opened = append(opened, filepath.Base(path)); return fail }}, func(d *desk) {
		d.gave(file("notes.txt"))
		d.press("w")
		if len(opened) > 0 {
			t.Fatalf("got %q opened, want nothing before the user asks", opened)
		}
		d.press("o")
		d.says("Could not open notes.txt: this system has no xdg-open. It is saved in ")
		fail = nil
		d.press("o")
		d.sees("opening notes.txt, which is in ")
		if got := d.saved(); got != "notes.txt" || !slices.Equal(opened, []string{"notes.txt", "notes.txt"}) {
			t.Errorf("got files %s and opened %q, want notes.txt, opened twice", got, opened)
		}
		if err := os.Remove(filepath.Join(d.model.opts.Dir, "notes.txt")); err != nil {
			t.Fatal(err)
		}
		d.press("o") // it was deleted: saved again
		if got := d.saved(); got != "notes.txt" || len(opened) != 3 {
			t.Errorf("got files %s and opened %q, want notes.txt saved again and opened a third time", got, opened)
		}
	})
}

func TestWhatMayRunIsNotOpenedWithoutSayingSo(t *testing.T) {
	t.Parallel()
	var opened []string
	bubble(t, 120, 40, Options{Browse: func(path string) error { opened = append(opened, filepath.Base(path)); return nil }}, func(d *desk) {
		d.gave(file("run.sh"))
		d.press("o")
		d.sees("open run.sh", "a .sh file may run as a program", "save it")
		if len(opened) > 0 || d.saved() != "" {
			t.Fatalf("got %q opened and %s saved, want neither before the user asks", opened, d.saved())
		}
		d.press("w")
		d.sees("saved run.sh")
		d.press("o", "esc")
		if len(opened) > 0 {
			t.Fatalf("got %q opened after the menu was closed, want nothing", opened)
		}
		d.press("o", "o")
		if !slices.Equal(opened, []string{"run.sh"}) || d.saved() != "run.sh" {
			t.Errorf("opened %q and saved %s, want run.sh", opened, d.saved())
		}
	})
}

func TestALinkToAFileIsOpenedOnPurposeWithItsRealHost(t *testing.T) {
	t.Parallel()
	var opened []string
	bubble(t, 120, 40, Options{Browse: func(target string) error { opened = append(opened, target); return nil }}, func(d *desk) {
		const link = "https://bank.example@evil.example/map.png"
		d.gave(`{"url":"` + link + `","filename":"map.png"}`)
		d.press("w")
		d.sees("the link leads to evil.example", "download it, at most 64", "copy link")
		d.press("esc", "o")
		d.sees("the link leads to evil.example", "open in the browser")
		if len(opened) > 0 {
			t.Fatalf("got %q opened, want nothing before the user asks", opened)
		}
		d.press("o")
		if !slices.Equal(opened, []string{link}) || d.saved() != "" {
			t.Errorf("opened %q and saved %s, want the link opened and nothing saved", opened, d.saved())
		}
	})
	for _, link := range []string{"file:///etc/passwd", "javascript:alert(1)", "artifact://a/b/c/d", "//x/y", "/tmp/x"} {
		bubble(t, 120, 40, Options{Browse: func(string) error { t.Errorf("got %s opened, want only web links", link); return nil }}, func(d *desk) {
			d.gave(`{"url":"` + link + `","filename":"map.png"}`)
			d.press("o")
			d.says("Parley does not open the address of map.png")
			d.press("o", "enter")
		})
	}
}

func TestFilesAreFoundByTheirNames(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.gave(file("map one.txt"), file("notes.txt"), `{"url":"https://files.example/far.pdf"}`, `{"text":"There."}`)
		d.model.focusComposer()
		d.write("/save not")
		d.sees("notes.txt", "text/plain, 5 B")
		d.press("enter")
		d.sees("saved notes.txt")
		d.press("ctrl+p")
		d.write("save map")
		d.press("enter")
		d.sees("saved map one.txt")
		d.press("ctrl+p")
		d.write("save far")
		d.sees("Save far.pdf")
		d.press("enter")
		d.sees("the link leads to files.example", "download it")
		d.press("esc")
		d.write("/save nothing like that")
		d.press("enter")
		d.says("no file of that name")
		if got := d.saved(); got != "map one.txt | notes.txt" {
			t.Errorf("got files %s, want map one.txt | notes.txt", got)
		}
	})
}

func TestARecordingsFilesCanBeSavedToo(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{Name: "booking.jsonl"}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allBooked)
		d.press("ctrl+p")
		d.write("save map.png")
		d.press("enter")
		d.sees("saved map.png, ")
		if data, err := os.ReadFile(filepath.Join(d.model.opts.Dir, "map.png")); err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
			t.Errorf("map.png starts with %.8q, %v", data, err)
		}
	})
}
