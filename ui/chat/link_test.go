package chat

import (
	"strings"
	"testing"

	"parley/a2a"
)

func TestAnAddressIsShownWithItsRealHost(t *testing.T) {
	for _, c := range []struct{ url, chip, inside string }{
		{"https://files.example/a/map.png", "k at files.example - image/png", "it leads to files.example. w and V ask"},
		{"https://files.example:8443/", "at files.example:8443 - image/png", "it leads to files.example:8443"},
		{"https://bank.example@evil.example/map.png", "k at evil.example - image/png - what stands before the @ is no host", "it leads to evil.example, and what stands"},
		{"https://bank.example%2f@evil.example/x", "at evil.example", "evil.example"},
		{"https://b\u0430nk.example/x", "at b\u0430nk.example - image/png - its letters may look like others", "its letters may"},
		{"https://xn--bnk-5cd.example/x", "at xn--bnk-5cd.example - image/png - browsers show it in other letters", "browsers show"},
		{"file:///etc/passwd", "file:///etc/passwd", "nothing here opens it"},
		{"javascript:alert(1)", "javascript:alert(1)", "nothing here opens it"},
		{"https://\u202Eelpmaxe.evil/", "U+202E", "its letters may"},
		{"data:nothing", "data:nothing", "nothing here opens it"},
	} {
		p := open(mono(), sent(a2a.Part{Kind: a2a.PartURL, URL: c.url, MediaType: "image/png"}), 160, 60)
		p.Focus()
		if got := screen(p); !strings.Contains(got, c.chip) {
			t.Errorf("%q: no %q in\n%s", c.url, c.chip, got)
		}
		press(p, "space")
		settle(t, p)
		if got := screen(p); !strings.Contains(got, c.inside) || !strings.Contains(got, "Nobody has fetched it") {
			t.Errorf("%q: no %q in\n%s", c.url, c.inside, got)
		}
		exact(t, p, 160, 60)
	}
}

func TestAnAddressThatIsTheFileIsOne(t *testing.T) {
	png := photo(t, "", 6, 6)
	p := open(dark(), sent(a2a.Part{Kind: a2a.PartURL, URL: "DATA:image/png;base64," + png.Encoded}), 100, 60)
	p.Focus()
	press(p, "space")
	settle(t, p)
	if got := screen(p); !strings.Contains(got, "6 by 6 pixels") || !strings.Contains(got, "image/png · ") {
		t.Errorf("drawn as\n%s", got)
	}
	f := press(p, "w").(Files).List[0]
	if data, err := f.Data(); f.Link != "" || f.Name != "k.png" || err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("saved as %+v, %.8q, %v", f, data, err)
	}
	p = open(dark(), sent(a2a.Part{Kind: a2a.PartURL, URL: "data:text/plain,one%20two%5B2J", Filename: "a.txt"}), 100, 60)
	p.Focus()
	press(p, "space")
	if got := screen(p); !strings.Contains(got, "one two[2J") {
		t.Errorf("drawn as\n%s", got)
	}
}
