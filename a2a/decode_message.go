package a2a

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"strconv"

	"parley/a2a/jsontok"
)

// message reads a message of any dialect.
func (d *decoder) message(n jsontok.Node, m *Message) {
	m.Raw = n.Raw()
	if get(n, "kind").Exists() {
		d.features |= sawKind
	}
	d.role(n, m)
	parts := get(n, "parts")
	if !parts.Exists() {
		if parts = get(n, "content"); parts.Exists() { // 0.3 over HTTP+JSON
			d.features |= sawProto03
		}
	}
	m.Parts = d.parts(parts)
	if len(m.Parts) == 0 {
		d.note("MSG-001", Error, n, "The message has no parts", "Send at least one part")
	}
	m.TaskID = d.id(d.either(n, "taskId", "task_id"))
	m.ContextID = d.contextID(n)
	m.ReferenceTaskIDs = words(d.either(n, "referenceTaskIds", "reference_task_ids"))
	m.Extensions = words(get(n, "extensions"))
	m.Metadata = metadata(get(n, "metadata"))
	m.ID = word(d.either(n, "messageId", "message_id"))
	if m.ID == "" {
		makeID(m)
		if d.numbersMessages() && d.features&(sawPartType|sawIDStatus|sawSession) == 0 {
			d.note("MSG-003", Error, n, "The message has no messageId", "Give every message its own id")
		}
	}
}

// numbersMessages reports whether every message has an id in the call's dialect.
func (d *decoder) numbersMessages() bool {
	return d.call.Dialect != V01 && d.call.Dialect != SAMDoc && d.call.Dialect != Unknown
}

// role reads the author. An unknown word means the agent.
func (d *decoder) role(n jsontok.Node, m *Message) {
	role := get(n, "role")
	m.RoleWord = word(role)
	var known bool
	m.Role, known = parseRole(m.RoleWord)
	if m.Role == RoleUnspecified {
		m.Role = RoleAgent
		d.note("MSG-002", Error, n, "The message has no role; Parley reads it as the agent's", "Set the role")
	} else if !known {
		d.features |= sawOther
		d.note("MSG-002", Error, role, "No A2A version has the role “"+clip(m.RoleWord)+"”; Parley reads it as the agent's", "Use the agent's role")
	}
	d.spelling(m.RoleWord, "ROLE_")
}

// makeID makes an id for a message without one. It depends only on the message's bytes, so that
// the same message always gets the same id.
func makeID(m *Message) {
	h := fnv.New64a()
	h.Write(m.Raw)
	m.ID, m.IDMade = "made-"+strconv.FormatUint(h.Sum64(), 36), true
}

// parts reads a list of parts; a single part counts as a list of one.
func (d *decoder) parts(n jsontok.Node) []Part {
	switch n.Kind() {
	case jsontok.Array:
	case jsontok.Object, jsontok.String:
		d.features |= sawOther
		d.note("MSG-001", Error, n, "The parts are not a list", "Send a list of parts")
		return []Part{d.part(n)}
	default:
		return nil
	}
	parts := make([]Part, 0, n.Len())
	for e := range n.Elems() {
		if e.Kind() == jsontok.Null {
			d.note("PART-013", Warning, e, "The list of parts contains a null", "Omit it")
			continue
		}
		parts = append(parts, d.part(e))
	}
	return parts
}

// maxRoots is how many root wrappers around a part are opened.
const maxRoots = 4

// part reads one part by its discriminator where that fits its members, and by
// its members otherwise.
func (d *decoder) part(n jsontok.Node) Part {
	d.at.text = stretch{}
	if n.IsText() {
		d.features |= sawOther
		d.note("PART-001", Error, n, "A part is a bare string", "Send parts as objects")
		return Part{Kind: PartText, Text: n.SharedText(), Raw: n.Raw()}
	}
	for range maxRoots { // a Python model that was printed with its wrapper
		root := get(n, "root")
		if root.Kind() != jsontok.Object {
			break
		}
		d.features |= sawOther
		n = root
	}
	p := Part{Raw: n.Raw(), Metadata: metadata(get(n, "metadata"))}
	switch d.partKind(n) {
	case "text":
		text := get(n, "text")
		p.Kind, p.Text = PartText, content(text)
		if text.IsText() {
			d.at.part, d.at.text = stretchOf(n), stretchOf(text)
		}
		if get(n, "data").Exists() {
			d.twoContents(n)
			p.Data = get(n, "data").Raw()
		}
	case "raw":
		raw := get(n, "raw")
		p.Kind, p.Encoded = PartBytes, raw.SharedText()
		p.URL = word(get(n, "url"))
		d.inline(raw, &p)
	case "url":
		p.Kind, p.URL = PartURL, get(n, "url").Text()
	case "file":
		d.file(n, &p)
	case "data":
		d.data(n, &p)
	default:
		d.unknownPart(n)
	}
	if p.Kind != PartUnknown && p.Filename == "" {
		p.Filename = word(get(n, "filename"))
	}
	if p.Kind != PartUnknown && p.MediaType == "" {
		p.MediaType = word(d.either(n, "mediaType", "media_type"))
	}
	return p
}

func (d *decoder) twoContents(n jsontok.Node) {
	d.note("PART-004", Error, n, "The part has two contents; Parley reads both", "Send one content in each part")
}

// unknownPart notes a part that cannot be read: it has no content, or one that A2A does not define.
func (d *decoder) unknownPart(n jsontok.Node) {
	kind := cmp.Or(word(get(n, "kind")), word(get(n, "type")))
	known := kind == "" || kind == "text" || kind == "file" || kind == "data"
	for name := range n.Members() {
		switch name {
		case "kind", "type", "metadata", "filename", "mediaType", "media_type", "mimeType":
		default:
			known = false
		}
	}
	if known && n.Kind() == jsontok.Object {
		d.note("PART-004", Error, n, "The part has no content", "Send one content in each part")
		return
	}
	d.note("PART-013", Warning, n, "No A2A version defines a part like this", "Send text, files or data")
}

// partKind returns the name of the member to read as content, empty if there is none.
func (d *decoder) partKind(n jsontok.Node) string {
	kind, typ := get(n, "kind"), get(n, "type")
	if kind.IsText() {
		d.features |= sawPartKind
	} else if typ.IsText() {
		d.features |= sawPartType
	}
	for _, discriminator := range [...]jsontok.Node{kind, typ} {
		for _, name := range [...]string{"text", "file", "data"} {
			if discriminator.Is(name) && (get(n, name).Exists() || !typ.Exists() || !kind.Exists()) {
				return name
			}
		}
	}
	switch {
	case get(n, "text").IsText():
		return "text"
	case get(n, "raw").IsText():
		return "raw"
	case get(n, "url").IsText():
		return "url"
	case get(n, "file").Kind() == jsontok.Object:
		return "file"
	case n.Get("data").Exists(): // null is a value in 1.0
		return "data"
	}
	return ""
}

// file reads the file object of the dialects before 1.0.
func (d *decoder) file(n jsontok.Node, p *Part) {
	d.features |= sawFile
	f := get(n, "file")
	if f.Kind() != jsontok.Object {
		f = n // members of the file beside the discriminator
	}
	p.Filename = cmp.Or(word(get(f, "name")), word(get(f, "filename")))
	for _, names := range [...][2]string{{"mimeType", "mime_type"}, {"mediaType", "media_type"}} {
		if p.MediaType == "" {
			p.MediaType = word(d.either(f, names[0], names[1]))
		}
	}
	content, double := d.fileContent(f)
	uri := get(f, "uri")
	if !uri.Exists() {
		if uri = d.either(f, "fileWithUri", "file_with_uri"); uri.Exists() {
			d.features |= sawProto03
		} else {
			uri = get(f, "url")
		}
	}
	p.URL = word(uri)
	switch {
	case content.IsText() && (p.URL == "" || len(content.Raw()) > len(`""`)):
		p.Kind, p.Encoded, p.DoubleEncoded = PartBytes, content.SharedText(), double
		d.inline(content, p)
		if p.URL != "" {
			d.note("PART-005", Error, f, "The file has both bytes and a reference; Parley reads both", "Send one of the two")
		}
	case p.URL != "":
		p.Kind = PartURL
	case d.call.Dialect != V01: // a mere reference to a file is legal there (specification 0.1 §6.6)
		d.note("PART-013", Warning, n, "The file has neither bytes nor a reference", "Send one of the two")
	}
}

// fileContent returns the member that holds a file's bytes. Over HTTP+JSON, 0.3
// servers put base64 into a field that the binding encodes once more.
func (d *decoder) fileContent(f jsontok.Node) (content jsontok.Node, double bool) {
	if content = get(f, "bytes"); content.Exists() {
		return content, false
	}
	if content = d.either(f, "fileWithBytes", "file_with_bytes"); content.Exists() {
		d.features |= sawProto03
		return content, d.call.Dialect == V03 && d.call.Binding != BindingJSONRPC
	}
	if content = get(f, "data"); content.Exists() {
		d.note("PART-006", Error, content, "The file's bytes are named “data”", "Name them “bytes”")
	}
	return content, false
}

// data reads a data part. The protocol buffers of 0.3 wrap the value in an object
// with one member called data; two SDKs wrap values that are no objects and mark
// that in the metadata.
func (d *decoder) data(n jsontok.Node, p *Part) {
	v := n.Get("data")
	p.Kind = PartData
	plain := !get(n, "kind").Exists() && !get(n, "type").Exists()
	if inner := get(v, "data"); plain && d.call.Dialect != V10 && inner.Exists() && v.Len() == 1 {
		d.features |= sawOther
		v = inner
	}
	meta := get(n, "metadata")
	if wrapped := v.Get("value"); wrapped.Exists() && truth(get(meta, compatMember)) {
		v = wrapped
		p.Metadata = withoutMember(meta, compatMember)
		d.features |= sawOther
	}
	p.Data = v.Raw()
}

// withoutMember returns the object n without one of its members, nil if no member remains.
func withoutMember(n jsontok.Node, name string) json.RawMessage {
	var b []byte
	for key, value := range n.Members() {
		if key != name {
			text, _ := marshal(key) // a string always encodes
			b = append(append(append(append(b, ','), text...), ':'), value.Raw()...)
		}
	}
	if b == nil {
		return nil
	}
	b[0] = '{'
	return append(b, '}')
}
