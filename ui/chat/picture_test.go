package chat

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/themes"
	"parley/ui/styles"
)

// photo returns a part with a picture of w×h pixels.
func photo(t testing.TB, name string, w, h int) a2a.Part {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.Set(i%w, i/w, color.NRGBA{uint8(i), 0x80, uint8(i / w), 0xff})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return a2a.Part{Kind: a2a.PartBytes, Filename: name, MediaType: "image/png", Encoded: base64.StdEncoding.EncodeToString(b.Bytes())}
}

// onePart returns a conversation whose newest artifact is one part.
func onePart(part a2a.Part) *model.Conversation {
	conv := travel()
	block := conv.Turns[0].Blocks[0]
	art := &model.Artifact{Key: "k", Task: block.Task, Chunks: 1, Count: 1, Version: 1, Parts: []model.PlacedPart{{Record: 20, Part: part}}}
	block.Entries = append(block.Entries, model.Entry{Kind: model.EntryArtifact, Artifact: art, Record: 20, Time: noon})
	touch(conv)
	return conv
}

func TestAPictureIsDrawnWhenItIsLookedAt(t *testing.T) {
	conv := onePart(photo(t, "photo.png", 40, 40))
	p := open(dark(), conv, 80, 60)
	p.Focus()
	settle(t, p)
	if got := screen(p); strings.Contains(got, "▀") || p.Selected() != 20 {
		t.Fatalf("picture is drawn before it is unfolded, or got record %d under the cursor, want 20:\n%s", p.Selected(), got)
	}
	press(p, "space")
	if got := screen(p); !strings.Contains(got, "drawing…") {
		t.Errorf("got a screen without the placeholder, want it:\n%s", got)
	}
	settle(t, p)
	if got := screen(p); strings.Count(got, strings.Repeat("▀", 40)) != 20 || !strings.Contains(got, "40 by 40 pixels") {
		t.Errorf("got a screen without the picture or without its size, want both:\n%s", got)
	}
	exact(t, p, 80, 60)
	press(p, "space")
	settle(t, p)
	if got := screen(p); strings.Contains(got, "▀") {
		t.Errorf("folded picture: got it drawn, want it hidden:\n%s", got)
	}
}

func TestAPictureIsDrawnOncePerWidthAndLook(t *testing.T) {
	p := open(dark(), onePart(photo(t, "photo.png", 40, 40)), 80, 60)
	p.Focus()
	press(p, "space")
	settle(t, p)
	pic := p.row.body.(*artifact).content.contents[partKey{20, 0}].(*pictureContent)
	for range 5 {
		p.dirty = true
		p.out.redraw(p.row)
		settle(t, p)
	}
	if pic.drawings != 1 {
		t.Errorf("picture was drawn %d times, want once", pic.drawings)
	}
	p.SetSize(24, 60)
	exact(t, p, 24, 60) // before it is drawn again
	settle(t, p)
	if got := screen(p); pic.drawings != 2 || !strings.Contains(got, strings.Repeat("▀", 20)) || strings.Contains(got, strings.Repeat("▀", 21)) {
		t.Errorf("picture was drawn %d times, want twice, 20 columns wide:\n%s", pic.drawings, got)
	}
	for looks, want := range map[*styles.Styles]string{
		styles.New(themes.Mono(), styles.Unicode()): "+++", styles.New(themes.Dark(), styles.ASCII()): "20 by 20", mono(): "40 by 40",
	} {
		p.SetStyles(looks)
		settle(t, p)
		if got := screen(p); strings.Contains(got, "▀") || want == "+++" && !strings.ContainsAny(got, ":-=+*") {
			t.Errorf("got the picture in the wrong mode, want the one of the styles:\n%s", got)
		}
		exact(t, p, 24, 60)
	}
}

func TestAPictureThatIsLookedAtStaysWithItsName(t *testing.T) {
	conv := onePart(photo(t, "photo.png", 40, 40))
	say(conv, 1)
	p := open(dark(), conv, 80, 18)
	p.Focus()
	press(p, "k", "k", "k", "space")
	if got := screen(p); !strings.Contains(got, "photo.png") || !strings.Contains(got, "drawing…") {
		t.Fatalf("got a screen without the placeholder under the cursor, want it:\n%s", got)
	}
	settle(t, p)
	if got := screen(p); !strings.Contains(got, "photo.png") || !strings.Contains(got, "40 by 40 pixels") {
		t.Errorf("got a screen without the name or without the end of the picture, want both:\n%s", got)
	}
	exact(t, p, 80, 18)
}

func TestPicturesStandAmongTheTextAndInMessages(t *testing.T) {
	conv, art := streaming()
	p := open(dark(), conv, 60, 80)
	chunk(conv, art, 100, "Here it is:")
	art.Parts = append(art.Parts, model.PlacedPart{Offset: len(art.Text), Record: 101, Part: photo(t, "a.png", 10, 10)})
	chunk(conv, art, 102, "and that was it.")
	block := conv.Turns[0].Blocks[0]
	block.Entries = append(block.Entries, model.Entry{Kind: model.EntryMessage, Record: 103, Message: &a2a.Message{
		ID: "m", Parts: []a2a.Part{a2a.TextPart("Two more"), photo(t, "b.png", 10, 10), photo(t, "c.png", 10, 10)},
	}})
	touch(conv)
	p.Focus()
	settle(t, p)
	press(p, "G", "k", "space")
	settle(t, p)
	if got := screen(p); strings.Count(got, "10 by 10 pixels") != 1 {
		t.Errorf("artifact: got another number of pictures, want one:\n%s", got)
	}
	press(p, "j", "j", "j", "j", "j", "j", "j", "j", "j", "space")
	settle(t, p)
	if got := screen(p); strings.Count(got, "10 by 10 pixels") != 3 {
		t.Errorf("message: got no pictures, want them drawn:\n%s", got)
	}
	exact(t, p, 60, 80)
}

func TestPicturesThatCannotBeDrawnAreASentence(t *testing.T) {
	whole := photo(t, "x.png", 40, 40)
	encode := base64.StdEncoding.EncodeToString
	for _, c := range []struct{ name, encoded, want string }{
		{"half", whole.Encoded[:len(whole.Encoded)/8*4], "The picture is not drawn: it is broken or incomplete."},
		{"a document", encode([]byte("%PDF-1.7\x00\x01")), "The picture is not drawn: the file is not PNG, JPEG, GIF or WebP; it looks like application/pdf."},
		{"no base64", "<placeholder>", "The content is not base64"},
		{"broken far behind", whole.Encoded + strings.Repeat("AAAA", 1000) + "*", "The picture is not drawn: its content is not base64."},
		{"a page", encode([]byte("<svg onload=alert(1)>")), "<svg onload=alert(1)>"},
		{"50 MB", whole.Encoded + strings.Repeat("AAAA", 50<<20/3), "52.4 MB exceed the limit for one"},
	} {
		part := whole
		part.Encoded = c.encoded
		p := open(dark(), onePart(part), 100, 60)
		p.Focus()
		press(p, "space")
		settle(t, p)
		if got := strings.Join(strings.Fields(strings.ReplaceAll(screen(p), "▌", "")), " "); !strings.Contains(got, c.want) {
			t.Errorf("%s: got a screen without %q, want it:\n%s", c.name, c.want, screen(p))
		}
	}
	other := whole
	other.MediaType = "image/webp"
	p := open(dark(), onePart(other), 100, 60)
	p.Focus()
	press(p, "space")
	settle(t, p)
	if got := screen(p); !strings.Contains(got, "40 by 40 pixels, PNG, not what its media type says") {
		t.Errorf("got no real format on the screen, want it:\n%s", got)
	}
}

func TestOfAHundredPicturesOneIsDrawnAtATime(t *testing.T) {
	conv := travel()
	block := conv.Turns[0].Blocks[0]
	pic := photo(t, "p.png", 4, 4)
	for i := range 100 {
		art := &model.Artifact{Key: fmt.Sprint(i), Chunks: 1, Count: 1, Version: 1, Parts: []model.PlacedPart{{Record: a2a.RecordID(20 + i), Part: pic}}}
		block.Entries = append(block.Entries, model.Entry{Kind: model.EntryArtifact, Artifact: art, Record: a2a.RecordID(20 + i), Time: noon})
	}
	touch(conv)
	p := open(dark(), conv, 60, 30)
	p.Lines()
	p.out.eachRow(func(r *row) {
		if a, ok := r.body.(*artifact); ok {
			a.open = true
			p.out.redraw(r)
		}
	})
	p.dirty = true
	jobs := 0
	for {
		all := p.Jobs()
		if len(all) == 0 {
			break
		}
		pictures := 0
		for _, j := range all {
			if j.picture != nil {
				pictures++
			}
		}
		if pictures > 1 || len(p.Jobs()) > 0 {
			t.Fatalf("got %d pictures drawn at once and %d jobs, want 1 and 0", pictures, len(p.Jobs()))
		}
		for _, j := range all {
			p.Apply(j.Run())
			jobs += pictures
		}
	}
	if jobs < 5 || jobs > 20 {
		t.Errorf("got %d pictures drawn for a window of 30 rows, want 5 to 20", jobs)
	}
	panetest.Exact(t, p.Lines(), 60, 30)
}
