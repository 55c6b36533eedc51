package lint

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// partRules are about parts at any place.
var partRules = [...]rule{
	{
		id: "PART-001", severity: a2a.Error, in: v01v03, section: "0.1 §6.5, 0.2 §6.5, 0.3 §6.5",
		checks: "A part names its kind: “type” in 0.1, “kind” after that", fix: "Set “kind” to text, file or data, in 0.1 “type”",
		at: atPart, run: discriminator,
	},
	{
		id: "PART-002", severity: a2a.Warning, in: v01v03, section: "0.1 §6.5, 0.2 §6.5, 0.3 §6.5",
		checks: "The kind of a part is in “type” in 0.1, in “kind” after that, and not in both", fix: "Use only the dialect's name",
		at: atPart, run: discriminatorName,
	},
	{
		id: "PART-003", severity: a2a.Error, in: v10, section: "1.0 §4.1.6, A.2.1",
		checks: "A part of 1.0 has no “kind”, “type” or “file”", fix: "Send text, raw, url or data directly in the part",
		at: atPart, run: oldPart,
	},
	{
		id: "PART-004", severity: a2a.Error, in: knownDialects, section: "1.0 §4.1.6",
		checks: "A part has one content", fix: "Send one content in each part",
		at: atPart, run: oneContent,
	},
	{
		id: "PART-005", severity: a2a.Error, in: knownDialects, section: "0.1 §6.6, 0.2 §6.6, 0.3 §6.6",
		checks: "A file has bytes or a reference, not both", fix: "Send one of the two",
	},
	{
		id: "PART-006", severity: a2a.Error, in: knownDialects, section: "0.1 §6.6, 0.3 §6.6, 1.0 §4.1.6",
		checks: "The members of a file have the dialect's names",
		fix:    "Before 1.0: bytes, uri, name, mimeType in “file”; in 1.0: raw, url, filename, mediaType in the part",
		at:     atPart, run: fileMembers,
	},
	{
		id: "PART-007", severity: a2a.Error, in: knownDialects, section: "0.1 §6.6, 0.3 §6.6, 1.0 §4.1.6",
		checks: "The bytes of a file are standard base64 with padding", fix: "Send the bytes as standard base64",
	},
	{
		id: "PART-008", severity: a2a.Info, in: v02v03, section: "0.2 §6.5.3, 0.3 §6.5.3",
		checks: "The data of a data part is an object", fix: "Put the value into an object",
		at: atPart, run: dataObject,
	},
	{
		id: "PART-009", severity: a2a.Warning, in: knownDialects, section: "0.1 §6.6, 0.3 §6.6",
		checks: "A file has a media type, and its bytes match that type", fix: "Declare the media type of the bytes",
		at: atFile, run: mediaType,
	},
	{
		id: "PART-010", severity: a2a.Info, in: knownDialects, section: "0.1 §6.6, 0.3 §6.6",
		checks: "A file reference can be downloaded over HTTP", fix: "Refer to files with https URLs",
		at: atFile, run: fetchable,
	},
	{
		id: "PART-011", severity: a2a.Warning, in: since02, section: "0.3 §7.1.1, 1.0 §3.2.2",
		checks: "The answer uses accepted output modes", fix: "Answer in one of the modes that the request accepts",
		at: atPart, run: acceptedMode,
	},
	{
		id: "PART-012", severity: a2a.Info, in: proto03, section: "0.3 §3.2.3",
		checks: "The bytes of a file are encoded once", fix: "Put the bytes themselves into the field, which the binding encodes",
		at: atFile, run: encodedTwice,
	},
	{
		id: "PART-013", severity: a2a.Warning, in: knownDialects,
		checks: "A2A defines the kind of the part", fix: "Send text, files or data",
	},
}

func discriminator(p *pass, n jsontok.Node) {
	switch v := n.GetAny("kind", "type"); {
	case !v.Exists():
		p.note(n, "The part does not name its kind")
	case v.Is(""):
		p.note(v, "The part's kind is empty")
	}
}

func discriminatorName(p *pass, n jsontok.Node) {
	right, wrong := "kind", "type"
	if p.in == onV01 {
		right, wrong = wrong, right
	}
	v := n.Get(wrong)
	switch {
	case !v.Exists():
	case n.Get(right).Exists():
		p.note(v, "The part has both “kind” and “type”")
	default:
		p.note(v, "The part names its kind in “"+wrong+"”; "+p.dialect().Number()+" names that “"+right+"”")
	}
}

func oldPart(p *pass, n jsontok.Node) {
	p.noteEach(n, "The part has a %s, which 1.0 does not define", "kind", "type", "file")
}

func oneContent(p *pass, n jsontok.Node) {
	if p.in&v10 != 0 && count(n, "text", "raw", "url", "data") > 1 { // the decoder checks the others
		p.note(n, "The part has more than one of text, raw, url and data")
	}
}

// Members that files have in other dialects, or that authors invent.
var (
	notInFile = [...]string{"url", "filename", "mediaType", "mime_type", "media_type", "content", "base64"}
	notInPart = [...]string{"bytes", "uri", "name", "mimeType", "mime_type", "fileName", "content", "base64"}
)

func fileMembers(p *pass, n jsontok.Node) {
	names, in, where := notInPart[:], n, "part"
	switch {
	case p.in&v01v03 != 0:
		if names, in, where = notInFile[:], get(n, "file"), "file"; !in.Exists() {
			return
		}
	case p.in&v10 == 0 || n.Get("text").Exists() || n.Get("data").Exists():
		return
	}
	p.noteEach(in, "A "+where+" of "+p.dialect().Number()+" has no member %s", names...)
}

func dataObject(p *pass, n jsontok.Node) {
	if v := n.Get("data"); v.Exists() && v.Kind() != jsontok.Object && !get(n, "file").Exists() {
		p.note(v, "The data is "+kindName(v.Kind())+", not an object")
	}
}

// An attachment is the content of a part: its bytes, or their location.
type attachment struct{ bytes, uri, media jsontok.Node }

// fileOf returns the file in a part; ok is false if the part is not a file.
func fileOf(n jsontok.Node) (f attachment, ok bool) {
	if v := get(n, "file"); v.Kind() == jsontok.Object {
		f = attachment{bytes: v.GetAny("bytes", "fileWithBytes"), uri: v.GetAny("uri", "fileWithUri", "url"), media: v.GetAny("mimeType", "mediaType")}
		return f, f.bytes.IsText() || f.uri.IsText()
	}
	f = attachment{bytes: get(n, "raw"), uri: get(n, "url")}
	if !f.bytes.IsText() && !f.uri.IsText() {
		return attachment{}, false
	}
	f.media = get(n, "mediaType")
	return f, true
}

func mediaType(p *pass, n jsontok.Node) {
	f, ok := fileOf(n)
	if !ok || p.retold {
		return
	}
	declared := essence(f.media.Text())
	if declared == "" {
		p.noteAs(a2a.Info, n, "The file has no media type")
		return
	}
	if p.in&proto03 != 0 || !f.bytes.IsText() {
		return
	}
	if seen := sniff(f.bytes); seen != "" && seen != declared && certainType(declared, seen) {
		p.note(f.media, "The file is declared as "+clip(declared)+", but its bytes look like "+seen)
	}
}

// essence returns a media type without its parameters, in lower case.
func essence(media string) string {
	t, _, _ := strings.Cut(media, ";")
	if t = strings.ToLower(strings.TrimSpace(t)); t == "image/jpg" {
		return "image/jpeg"
	}
	return t
}

// sniff returns the type that the first bytes of a file suggest, empty if they cannot be read.
// A body that was cut may end before the closing quote.
func sniff(encoded jsontok.Node) string {
	const most = 64 // characters, a multiple of four
	raw := bytes.TrimPrefix(encoded.Raw(), []byte(`"`))
	raw = bytes.TrimSuffix(raw, []byte(`"`))
	raw = raw[:min(len(raw), most)/4*4]
	head := make([]byte, base64.StdEncoding.DecodedLen(len(raw)))
	n, err := base64.StdEncoding.Decode(head, raw)
	if err != nil || n == 0 {
		return ""
	}
	return essence(http.DetectContentType(head[:n]))
}

// certainType reports whether one of two types is certain from its first bytes, so that the
// other one must be wrong.
func certainType(declared, seen string) bool {
	if declared == "application/octet-stream" {
		return false
	}
	certain := [...]string{"image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"}
	return slices.Contains(certain[:], declared) || slices.Contains(certain[:], seen)
}

func fetchable(p *pass, n jsontok.Node) {
	f, ok := fileOf(n)
	if !ok || !f.uri.IsText() {
		return
	}
	scheme, _, found := strings.Cut(f.uri.Text(), ":")
	switch {
	case strings.EqualFold(scheme, "https"), strings.EqualFold(scheme, "http"), f.uri.Text() == "":
	case !found || strings.ContainsAny(scheme, "/?#"):
		p.note(f.uri, "The reference is not an absolute URL")
	default:
		p.note(f.uri, "References with “"+clip(scheme)+":” cannot be downloaded by most clients")
	}
}

func acceptedMode(p *pass, n jsontok.Node) {
	accepted := p.x.asks.modes
	if len(accepted) == 0 || p.out() || p.retold {
		return
	}
	media := get(n, "mediaType")
	if f, ok := fileOf(n); ok {
		media = f.media
	}
	if got := essence(media.Text()); got != "" && !accepted.accept(got) {
		p.note(media, "The request does not accept "+clip(got))
	}
}

func encodedTwice(p *pass, n jsontok.Node) {
	f, ok := fileOf(n)
	if !ok || !f.bytes.IsText() || p.out() || p.retold {
		return
	}
	outer, err := base64.StdEncoding.DecodeString(f.bytes.Text())
	if err != nil || len(outer) < 8 || len(outer)%4 != 0 {
		return
	}
	if _, err := base64.StdEncoding.Strict().DecodeString(string(outer)); err == nil {
		p.note(f.bytes, "The bytes are base64 of base64")
	}
}
