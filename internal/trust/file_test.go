package trust

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/card"
)

func cardFrom(t testing.TB, text, source string) *a2a.Card {
	t.Helper()
	cards, _, failure := a2a.ParseCard([]byte(text), source)
	if failure != nil {
		t.Fatal(failure)
	}
	return cards[0]
}

func desk(t testing.TB, more string) *a2a.Card {
	return cardFrom(t, `{"name":"Desk","url":"https://desk.example/rpc","version":"1","skills":[]`+more+`}`, "https://desk.example/.well-known/agent-card.json")
}

func open(t testing.TB) *File {
	return Open(filepath.Join(t.TempDir(), "state", "approved-cards.json"), func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC) })
}

const ref = "https://desk.example"

// The first card of an agent is its baseline; later ones are compared with it until they are
// approved, and a second run knows the same.
func TestTheFirstCardIsTheBaseline(t *testing.T) {
	f := open(t)
	if _, known, err := f.Find(ref, 0, desk(t, "")); known || err != nil {
		t.Fatalf("got %v, %v without a file, want no baseline", known, err)
	}
	b, known, err := f.Meet(ref+"/", 0, desk(t, ""))
	if err != nil || !known || b.Name != "Desk" || b.Ref != ref || !b.Approved.Equal(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)) {
		t.Fatalf("got %+v, %v, %v, want the card as the baseline", b, known, err)
	}
	if info, err := os.Stat(f.Path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want a file for the user alone", info.Mode(), err)
	}
	if got := b.How.Since("4 Mar"); got != "since Parley first saw it on 4 Mar" { // nobody was asked
		t.Errorf("got %q, want that Parley saw the card", got)
	}
	again := Open(f.Path(), time.Now)
	changed := desk(t, `,"security":[{"key":[]}]`)
	b, _, err = again.Meet(ref, 0, changed)
	if err != nil || card.Asking(b.Drift(changed, nil)) != 1 || len(b.Drift(desk(t, ""), nil)) != 0 {
		t.Errorf("got %v, %v, want one difference that asks", b.Drift(changed, nil), err)
	}
	if got := b.FirstDifference(changed); got != "/security" {
		t.Errorf("got first difference %q, want /security", got)
	}
	if c, since := again.Last(ref, 0); c == nil || c.Name != "Desk" || !since.Equal(b.Approved) {
		t.Errorf("got %+v of %v, want the baseline as a card", c, since)
	}
	if c, _ := again.Last("https://other.example", 0); c != nil {
		t.Errorf("got %+v, want no card of an agent without a baseline", c)
	}
	if err := again.Approve(ref, 0, changed); err != nil {
		t.Fatal(err)
	}
	if b, _, _ := f.Find(ref, 0, changed); len(b.Drift(changed, nil)) != 0 {
		t.Errorf("got %v after the approval, want no differences", b.Drift(changed, nil))
	}
	if err := f.Forget(ref, 0); err != nil {
		t.Fatal(err)
	}
	if err := again.Forget(ref, 0); !errors.Is(err, errUnknown) {
		t.Errorf("got %v, want that it is forgotten already", err)
	}
	f.ReadOnly = true
	if _, known, err := f.Meet(ref, 0, changed); known || err != nil {
		t.Errorf("got %v, %v where nothing may be written, want no baseline", known, err)
	}
}

// Files, meshes and addresses with secrets have a reference that a later run finds again.
func TestReferences(t *testing.T) {
	whole, err := filepath.Abs("card.json")
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"https://desk.example/": ref, "./card.json": whole, "card.json": whole,
		"mqtt://broker.example:1883/ns": "mqtt://broker.example:1883/ns/a2a/v1/agent/request/Desk",
	} {
		if got := Reference(in, desk(t, "")); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
	if got := Reference("https://user:s3cret@desk.example/?token=s3cret", nil); strings.Contains(got, "s3cret") {
		t.Errorf("got %q, want no secret", got)
	}
	f := open(t)
	if _, known, err := f.Meet("-", 0, desk(t, "")); known || err != nil {
		t.Errorf("got %v, %v for standard input, want no baseline", known, err)
	}
}

// What looks like a secret is in no file, and a card that only differs there is the same.
func TestSecretsAreMasked(t *testing.T) {
	f := open(t)
	secret := desk(t, `,"authentication":{"schemes":["bearer"],"credentials":"s3cret-credentials"},"token":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ"`)
	b, known, err := f.Meet(ref, 0, secret)
	if err != nil || !known {
		t.Fatalf("got %v, %v, want a baseline", known, err)
	}
	data, err := os.ReadFile(f.Path())
	if err != nil || bytes.Contains(data, []byte("s3cret")) || bytes.Contains(data, []byte("eyJ")) {
		t.Errorf("got %s, %v, want no secret", data, err)
	}
	if got := b.Drift(secret, nil); len(got) != 0 {
		t.Errorf("got %v, want no difference of the card to itself", got)
	}
}

// A damaged file is never overwritten, and what can be read of it counts.
func TestDamagedFiles(t *testing.T) {
	good := fmt.Sprintf(`{"ref":%q,"approved":"2026-03-04T05:06:07Z","card":{"name":"Desk","url":"https://desk.example/rpc"}}`, ref)
	for name, c := range map[string]struct {
		text  string
		known bool
	}{
		"empty":          {"", false},
		"no JSON":        {"\x1b[2J\x00", false},
		"another object": {`{"agents":[]}`, false},
		"one is damaged": {`{"baselines":[{"ref":"https://a.example","card":7},` + good + `,{"card":{}},"x",{"ref":"-","card":{"name":"a","url":"b"}},{"ref":"r","index":-1,"card":{"name":"a","url":"b"}}]}`, true},
		"cut":            {`{"baselines":[` + good, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t)
			if err := os.MkdirAll(filepath.Dir(f.Path()), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(f.Path(), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, known, err := f.Find(ref, 0, desk(t, ""))
			if known != c.known || !errors.Is(err, ErrUnreadable) {
				t.Errorf("got %v, %v, want %v and what is wrong", known, err, c.known)
			}
			if _, _, err := f.Meet("https://other.example", 0, desk(t, "")); err == nil {
				t.Error("a first use changed a damaged file, want it left to the user")
			}
			if err := f.Approve("https://other.example", 0, desk(t, "")); err != nil {
				t.Fatal(err)
			}
			if kept, err := os.ReadFile(f.Path() + ".broken-1"); err != nil || string(kept) != c.text {
				t.Errorf("got %q, %v, want the damaged file beside the new one", kept, err)
			}
			if list, err := f.Baselines(); err != nil || len(list) != map[bool]int{true: 2, false: 1}[c.known] {
				t.Errorf("got %d baselines, %v", len(list), err)
			}
		})
	}
	f := open(t)
	if err := os.MkdirAll(f.Path(), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Find(ref, 0, desk(t, "")); err == nil {
		t.Error("got no error for a folder, want one")
	}
}

// A card that is too long is refused, and a full file drops nothing.
func TestLimits(t *testing.T) {
	f := open(t)
	long := desk(t, `,"description":"`+strings.Repeat("x", maxCard)+`"`)
	if _, known, err := f.Meet(ref, 0, long); known || !errors.Is(err, errTooLong) {
		t.Errorf("got %v, %v, want that the card is too long", known, err)
	}
	if err := f.Approve(ref, 0, desk(t, "")); err != nil {
		t.Fatal(err)
	}
	b, _, _ := f.Find(ref, 0, long)
	if got := b.Drift(long, nil); len(got) != 1 || got[0].Severity.Asks() {
		t.Errorf("got %v, want the description", got)
	}
	f.list = nil
	if err := f.update(func() error {
		for i := range maxBaselines - 1 {
			b.Index = i + 1
			f.list = append(f.list, b)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := f.Approve("https://one-more.example", 0, desk(t, "")); err == nil || !strings.Contains(err.Error(), "forget one") {
		t.Errorf("got %v, want that the file is full", err)
	}
}

// Several runs approve at once, and none loses what another one wrote.
func TestSeveralRunsApproveAtOnce(t *testing.T) {
	path := open(t).Path()
	var runs sync.WaitGroup
	for i := range 8 {
		runs.Go(func() {
			if err := Open(path, time.Now).Approve(fmt.Sprintf("https://%d.example", i), 0, desk(t, "")); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	if list, err := Open(path, time.Now).Baselines(); err != nil || len(list) != 8 {
		t.Errorf("got %d baselines, %v, want 8", len(list), err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"baselines":[{"ref":"https://a","card":{"name":"a","url":"b"}}]}`))
	f.Add([]byte(`{"baselines":[{"ref":"https://a","card":null},{"ref":"","card":[]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, _ := read(data)
		for i := range list {
			list[i].Drift(&a2a.Card{}, nil)
		}
	})
}
