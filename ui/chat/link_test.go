package chat

import (
	"net/url"
	"strings"
	"testing"

	"parley/a2a"
	"parley/ui/canvas"
)

func TestAnAddressIsShownWithItsRealHost(t *testing.T) {
	for _, c := range []struct{ url, chip, inside string }{
		{"https://files.example/a/map.png", "k at files.example - image/png", "it leads to files.example. w and V ask"},
		{"https://files.example:8443/", "at files.example:8443 - image/png", "it leads to files.example:8443"},
		{"https://bank.example@evil.example/map.png", "k at evil.example - image/png - the text before the @ is not a host", "it leads to evil.example, and the text before the @"},
		{"https://bank.example%2f@evil.example/x", "at evil.example", "evil.example"},
		{"https://b\u0430nk.example/x", "at xn--bnk-6cd.example - image/png - browsers may show it in letters", "it leads to xn--bnk-6cd.example, and browsers may"},
		{"https://xn--bnk-5cd.example/x", "at xn--bnk-5cd.example - image/png - browsers may show it in letters that look like others", "browsers may show"},
		{"file:///etc/passwd", "file:///etc/passwd", "Parley cannot open it"},
		{"javascript:alert(1)", "javascript:alert(1)", "Parley cannot open it"},
		{"https://\u202Eelpmaxe.evil/", "at %E2%80%AEelpmaxe.evil - image/png - its letters are not allowed in the name of a host", "U+202E"},
		{"data:nothing", "data:nothing", "Parley cannot open it"},
	} {
		p := open(mono(), onePart(a2a.Part{Kind: a2a.PartURL, URL: c.url, MediaType: "image/png"}), 160, 60)
		p.Focus()
		if got := screen(p); !strings.Contains(got, c.chip) {
			t.Errorf("%q: got no %q in the chip, want it:\n%s", c.url, c.chip, got)
		}
		press(p, "space")
		settle(t, p)
		if got := screen(p); !strings.Contains(got, c.inside) || !strings.Contains(got, "It has not been downloaded") {
			t.Errorf("%q: got no %q in the unfolded part, want it:\n%s", c.url, c.inside, got)
		}
		exact(t, p, 160, 60)
	}
}

func TestALongHostOrNameLeavesTheEndOfTheHost(t *testing.T) {
	for _, part := range []a2a.Part{
		{Kind: a2a.PartURL, URL: "https://www.bank.example." + strings.Repeat("a", 60) + ".evil.example/x"},
		{Kind: a2a.PartURL, URL: "https://bank.example.evil.example/x", Filename: strings.Repeat("bank.example ", 20)},
	} {
		for _, w := range []int{48, 80, 120} {
			p := open(mono(), onePart(part), w, 20)
			if got := screen(p); !strings.Contains(got, ".evil.example") {
				t.Errorf("%d columns: got a screen without the host's end, want it:\n%s", w, got)
			}
			exact(t, p, w, 20)
		}
	}
}

func TestAnAddressThatIsTheFileIsOne(t *testing.T) {
	png := photo(t, "", 6, 6)
	p := open(dark(), onePart(a2a.Part{Kind: a2a.PartURL, URL: "DATA:image/png;base64," + png.Encoded}), 100, 60)
	p.Focus()
	press(p, "space")
	settle(t, p)
	if got := screen(p); !strings.Contains(got, "6 by 6 pixels") || !strings.Contains(got, "image/png · ") {
		t.Errorf("data URL: got no picture, want it drawn:\n%s", got)
	}
	f := press(p, "w").(Files).List[0]
	if data, err := f.Data(); f.Link != "" || f.Name != "k.png" || err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("got file %+v with %.8q, %v, want k.png", f, data, err)
	}
	p = open(dark(), onePart(a2a.Part{Kind: a2a.PartURL, URL: "data:text/plain,one%20two%5B2J", Filename: "a.txt"}), 100, 60)
	p.Focus()
	press(p, "space")
	if got := screen(p); !strings.Contains(got, "one two[2J") {
		t.Errorf("data URL: got no text, want it:\n%s", got)
	}
}

// Sentences and panes name the same host, and cut it at the same place.
func TestSentencesAndPanesNameTheSameHost(t *testing.T) {
	for _, link := range []string{
		"https://a.example/", "HTTPS://Bank.Example:8443/", "https://bank.example@evil.example/", "https://\u0430pple.com/", "https://\u0430\u0440\u0440\u04cf\u0435.com:80/",
		"https://b\u00fccher.example/", "https://bank.example\u3002evil.example/", "https://bank.example./", "http://[::1]/", "http://[::1]:80/", "https://bank\u202e.example/",
		"https://login.bank.example." + strings.Repeat("a.", 200) + "evil.example", "https://bank.example\u2066.evil.example/",
	} {
		u, err := url.Parse(link)
		if err != nil {
			t.Fatal(err)
		}
		if sentence, pane := a2a.ShownHost(u), canvas.HostIn(link, 81, "…"); sentence != pane || pane == "" {
			t.Errorf("%.60q: got host %q in sentences and %q in panes, want the same", link, sentence, pane)
		}
	}
}
