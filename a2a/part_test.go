package a2a

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
)

func TestBytesReadEveryBase64(t *testing.T) {
	t.Parallel()
	content := []byte{0xfb, 0xff, 0xbf, 0x00}
	std, url := base64.StdEncoding, base64.URLEncoding
	double := std.EncodeToString([]byte(std.EncodeToString(content)))
	for _, c := range []struct {
		name string
		part Part
		want []byte
		size int64
	}{
		{"standard", Part{Kind: PartBytes, Encoded: std.EncodeToString(content)}, content, 4},
		{"without padding", Part{Kind: PartBytes, Encoded: base64.RawStdEncoding.EncodeToString(content)}, content, 4},
		{"url-safe", Part{Kind: PartBytes, Encoded: url.EncodeToString(content)}, content, 4},
		{"url-safe without padding", Part{Kind: PartBytes, Encoded: base64.RawURLEncoding.EncodeToString(content)}, content, 4},
		{"no remainder", Part{Kind: PartBytes, Encoded: std.EncodeToString(content[:3])}, content[:3], 3},
		{"empty", Part{Kind: PartBytes}, []byte{}, 0},
		{"twice where that is done", Part{Kind: PartBytes, Encoded: double, DoubleEncoded: true}, content, 4},
		{"twice where it is not", Part{Kind: PartBytes, Encoded: double}, []byte(std.EncodeToString(content)), 8},
		{"once where twice is done", Part{Kind: PartBytes, Encoded: std.EncodeToString(content), DoubleEncoded: true}, content, 4},
		{"built here", Part{Kind: PartBytes, Content: content}, content, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.part.Bytes()
			if err != nil || !bytes.Equal(got, c.want) {
				t.Errorf("got bytes %v (%v), want %v", got, err, c.want)
			}
			if size := c.part.Size(); size != c.size && c.name != "once where twice is done" {
				t.Errorf("got size %d, want %d", size, c.size)
			}
		})
	}
}

func TestTheHeadOfAPartIsTheBeginningOfItsBytes(t *testing.T) {
	content := bytes.Repeat([]byte("abcdefghij-+/\xff"), 1000)
	std := base64.StdEncoding
	once := std.EncodeToString(content)
	var broken strings.Builder
	for i := 0; i < len(once); i += 76 {
		broken.WriteString(once[i:min(i+76, len(once))] + "\r\n")
	}
	for name, p := range map[string]Part{
		"standard": {Encoded: once}, "url-safe": {Encoded: base64.RawURLEncoding.EncodeToString(content)}, "with line breaks": {Encoded: broken.String()},
		"twice": {Encoded: std.EncodeToString([]byte(once)), DoubleEncoded: true}, "built here": {Content: content},
	} {
		p.Kind = PartBytes
		for _, n := range []int{0, 1, 15, 16, 512, 5000, len(content), 2 * len(content)} {
			if got, err := p.Head(n); err != nil || !bytes.Equal(got, content[:min(n, len(content))]) {
				t.Errorf("%s: Head(%d) = %d bytes, %v, want %d", name, n, len(got), err, min(n, len(content)))
			}
		}
	}
	huge := Part{Kind: PartBytes, Encoded: strings.Repeat("AAAA", 1<<20) + "*"}
	if got := testing.AllocsPerRun(10, func() { _, _ = huge.Head(512) }); got > 10 {
		t.Errorf("got %v allocations, want at most 10", got)
	}
	if head, err := huge.Head(512); err != nil || len(head) != 512 {
		t.Errorf("Head(512) = %d bytes, %v, want 512: the fault is far behind them", len(head), err)
	}
	if _, err := (&Part{Kind: PartBytes, Encoded: strings.Repeat("*", 1<<16)}).Head(512); err == nil {
		t.Error("Head: got no error for invalid base64, want one")
	}
}

func TestBytesSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, p := range []Part{TextPart("x"), {Kind: PartBytes, Encoded: "<base64-encoded-content>"}, {Kind: PartBytes, Encoded: "A"}} {
		if _, err := p.Bytes(); err == nil || err.Error() == "" {
			t.Errorf("%+v: got error %v, want one with a text", p, err)
		}
	}
}

func TestPartsAreReadByDiscriminatorThenMembers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, part, want string }{
		{"type", `{"type":"text","text":"x"}`, "text x"},
		{"kind", `{"kind":"text","text":"x"}`, "text x"},
		{"both, one right", `{"kind":"file","type":"text","text":"x"}`, "text x"},
		{"both, the other right", `{"kind":"text","type":"data","data":{}}`, "data {}"},
		{"empty text", `{"kind":"text","text":""}`, "text "},
		{"bare text", `{"text":"x"}`, "text x"},
		{"null beside text", `{"text":"x","raw":null,"url":null,"data":null}`, "text x"},
		{"null data", `{"data":null}`, "data null"},
		{"raw", `{"raw":"AA==","filename":"f","mediaType":"m"}`, "file AA== f m"},
		{"url", `{"url":"https://x","filename":"f"}`, "file https://x f "},
		{"bytes", `{"kind":"file","file":{"bytes":"AA==","name":"f","mimeType":"m"}}`, "file AA== f m"},
		{"uri", `{"type":"file","file":{"uri":"https://x"}}`, "file https://x  "},
		{"fileWithUri", `{"file":{"fileWithUri":"https://x","mediaType":"m"}}`, "file https://x  m"},
		{"snake_case", `{"file":{"file_with_bytes":"AA==","mime_type":"m"}}`, "file AA==  m"},
		{"file without file", `{"kind":"file","uri":"https://x"}`, "file https://x  "},
		{"wrapped data", `{"data":{"data":{"k":1}}}`, `data {"k":1}`},
		{"data that has data", `{"kind":"data","data":{"data":{"k":1}}}`, `data {"data":{"k":1}}`},
		{"marked value", `{"kind":"data","data":{"value":[1]},"metadata":{"data_part_compat":true}}`, `data [1]`},
		{"root", `{"root":{"kind":"text","text":"x"}}`, "text x"},
		{"string", `"x"`, "text x"},
		{"nothing", `{}`, "unknown"},
		{"number", `7`, "unknown"},
		{"file of nothing", `{"kind":"file","file":{}}`, "unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev, _ := one(t, nil, Input{Body: rpc(`{"kind":"message","role":"agent","messageId":"m","parts":[` + c.part + `]}`)})
			p := ev.Message.Parts[0]
			got := p.Kind.String()
			switch p.Kind {
			case PartText:
				got += " " + p.Text
			case PartBytes, PartURL:
				got += " " + p.Encoded + p.URL + " " + p.Filename + " " + p.MediaType
			case PartData:
				got += " " + string(p.Data)
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if p.Kind == PartUnknown && len(p.Raw) == 0 {
				t.Error("got no raw JSON of an unknown part, want it")
			}
		})
	}
}

func TestDoubleEncodingBelongsToOneBinding(t *testing.T) {
	t.Parallel()
	body := []byte(`{"message":{"role":"ROLE_AGENT","messageId":"m","content":[{"file":{"fileWithBytes":"QUE9PQ=="}}]}}`)
	for _, c := range []struct {
		call Call
		want bool
	}{
		{Call{Op: OpSend, Dialect: V03, Binding: BindingREST}, true},
		{Call{Op: OpSend, Dialect: V03, Binding: BindingJSONRPC}, false},
		{Call{Op: OpSend, Dialect: V10, Binding: BindingREST}, false},
	} {
		ev, _ := one(t, &c.call, Input{Body: body})
		if got := ev.Message.Parts[0].DoubleEncoded; got != c.want {
			t.Errorf("%+v: got DoubleEncoded %v, want %v", c.call, got, c.want)
		}
	}
}
