package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/trust"
	"parley/session/log"
	"parley/ui/control"
	"parley/ui/control/controltest"
)

const trustedCard = `{"name":"Desk","url":"https://desk.example/rpc","version":"1","description":"one","skills":[]}`

// withApproved opens an agent whose card was approved as trustedCard, and now is another one.
func withApproved(t *testing.T, now string, do func(d *desk, file *trust.File)) {
	withApprovedAs(t, trustedCard, now, do)
}

// withApprovedAs does the same with another approved card.
func withApprovedAs(t *testing.T, approved, now string, do func(d *desk, file *trust.File)) {
	file := trust.Open(filepath.Join(t.TempDir(), "approved-cards.json"), func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) })
	read := func(text string) *a2a.Card {
		cards, _, failure := a2a.ParseCard([]byte(text), "https://desk.example/card.json")
		if failure != nil {
			t.Fatal(failure)
		}
		return cards[0]
	}
	bubble(t, 100, 30, Options{Approved: file}, func(d *desk) {
		a := d.carded()
		if err := file.Approve(a.Ref, 0, read(approved)); err != nil {
			t.Fatal(err)
		}
		a.Card = read(now)
		a.Profile.Problem = "The card of Desk has changed"
		d.run(d.model.approvals.OnSignal(&log.Signal{Kind: log.SignalOpened, Agent: a.ID, Profile: &a.Profile}))
		d.settle()
		d.wait(100 * time.Millisecond)
		do(d, file)
	})
}

// A card whose address has changed opens the sheet; enter is the safe answer, and an approval
// reads the card again.
func TestAChangedAddressHasToBeApproved(t *testing.T) {
	t.Parallel()
	now := strings.Replace(strings.Replace(trustedCard, "desk.example/rpc", "evil.example/rpc", 1), `"one"`, `"two"`, 1)
	withApproved(t, now, func(d *desk, file *trust.File) {
		d.sees("trust · Desk", "Nothing is sent to the agent", "address    /url", `"https://evil.example/rpc"`, "other      /description", "4 Mar 2026")
		d.press("a")
		d.sees("approve the card of Desk as it is now?", "messages may go to https://evil.example/rpc")
		d.press("enter")
		d.sees("trust · Desk")
		if got := d.engine.CallsOf("reopen"); len(got) != 0 {
			t.Fatalf("got %q after the safe answer, want nothing", got)
		}
		d.press("a", "y")
		d.wait(100 * time.Millisecond)
		if got := d.engine.CallsOf("reopen"); len(got) != 1 {
			t.Errorf("got %q, want the card to be read again", got)
		}
		if list, err := file.Baselines(); err != nil || len(list) != 1 || !strings.Contains(string(list[0].Card), "evil.example") {
			t.Errorf("got %+v, %v, want the new card", list, err)
		}
	})
}

// Where the user is writing, nothing comes in the way, so that no key approves anything.
func TestNoSheetOpensWhileTheUserWrites(t *testing.T) {
	t.Parallel()
	now := strings.Replace(trustedCard, `"skills":[]`, `"skills":[],"security":[{"key":[]}]`, 1)
	file := trust.Open(filepath.Join(t.TempDir(), "approved-cards.json"), time.Now)
	bubble(t, 100, 30, Options{Approved: file}, func(d *desk) {
		a := d.carded()
		cards, _, _ := a2a.ParseCard([]byte(trustedCard), "")
		if err := file.Approve(a.Ref, 0, cards[0]); err != nil {
			t.Fatal(err)
		}
		cards, _, _ = a2a.ParseCard([]byte(now), "")
		a.Card = cards[0]
		d.write("ay")
		d.run(d.model.approvals.OnSignal(&log.Signal{Kind: log.SignalOpened, Agent: a.ID, Profile: &a.Profile}))
		d.settle()
		d.wait(100 * time.Millisecond)
		d.says("The card of", "1 change of security or addresses: /trust")
		if d.model.sheet() != nil {
			t.Error("a sheet lies over what the user writes")
		}
	})
}

// Other changes are only listed: in the card and in the sheet, which forgets cards too.
func TestOtherChangesAreListed(t *testing.T) {
	t.Parallel()
	withApproved(t, strings.Replace(trustedCard, `"one"`, `"two"`, 1), func(d *desk, file *trust.File) {
		if d.model.sheet() != nil {
			t.Error("a sheet opened for a change that needs no approval")
		}
		d.press("f2")
		d.sees("trust", "unsigned; 1 change since you approved it on 4 Mar 2026")
		d.press("esc")
		d.write("/trust")
		d.press("enter")
		d.wait(100 * time.Millisecond)
		d.sees("None of this has to be approved", "/description", `"two"`)
		d.press("f", "y")
		d.wait(100 * time.Millisecond)
		if list, err := file.Baselines(); err != nil || len(list) != 0 {
			t.Errorf("got %+v, %v, want no approved card", list, err)
		}
		if err := os.WriteFile(file.Path(), []byte("\x1b[2J"), 0o600); err != nil {
			t.Fatal(err)
		}
		d.press("esc")
		d.write("/trust")
		d.press("enter")
		d.wait(100 * time.Millisecond)
		d.sees("Not every approved card could be read")
	})
}

// In a recording and in the demo no cards are compared.
func TestNoCardsAreComparedWithoutAFile(t *testing.T) {
	t.Parallel()
	bubble(t, 100, 30, Options{}, func(d *desk) {
		d.carded()
		i := slices.IndexFunc(controltest.Commands(d.model.approvals.Actions()), func(c control.Command) bool { return c.Why != "" })
		if i < 0 {
			t.Error("the command has no reason why it does nothing")
		}
		d.run(d.model.approvals.Open())
		d.settle()
		d.sees("Cards are not compared here")
	})
}

// The sheet masks both values of a difference, and so does what it copies.
func TestTheSheetOfApprovalsShowsNoSecret(t *testing.T) {
	t.Parallel()
	const secret = "Pl4nted-S3cret-One"
	hidden := strings.NewReplacer("desk.example/rpc", "desk.example/"+secret+"/rpc?k="+secret, `"one"`, `"say Authorization: Bearer `+secret+`"`,
		`"skills":[]`, `"skills":[],"authentication":{"schemes":["x"],"credentials":"`+secret+`"},"metadata":{"client_secret":"`+secret+`"}`)
	for name, c := range map[string]struct{ approved, now string }{
		"approved": {hidden.Replace(trustedCard), trustedCard}, "now": {trustedCard, hidden.Replace(trustedCard)},
	} {
		t.Run(name, func(t *testing.T) {
			withApprovedAs(t, c.approved, c.now, func(d *desk, _ *trust.File) {
				seen := false
				for range 4 {
					if text := unwrapped(d.model, d.root.View().Content); strings.Contains(text, "S3cret") || !strings.Contains(text, "/url") {
						t.Fatalf("got the secret, or no difference:\n%s", text)
					}
					seen = seen || strings.Contains(d.text(), "https://desk.example/•••/rpc?k=•••")
					d.press("j")
				}
				if !seen {
					t.Error("got the masked address nowhere")
				}
				d.press("y")
				if copied := d.copied; strings.Contains(copied, "S3cret") || !strings.Contains(copied, "/authentication") {
					t.Errorf("got %q copied, want the differences without the secret", copied)
				}
			})
		})
	}
}
