package chat

import (
	"net/url"
	"parley/a2a/hostname"
	"parley/ui/media"
	"path"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// chipIndent is how far the content of a part is indented from its name.
const chipIndent = 2

// chip draws a part that is not text as one line: its kind, its name, and its properties. open
// draws its content below, as in if that is not nil.
func (k *renderer) chip(p *a2a.Part, name string, open bool, in partContent, w int) []string {
	host := k.host(p.URL, min(maxHost, w/2))
	p = k.withContent(p)
	mark, title, about := k.describe(p)
	if name = k.clean(name); name != "" {
		title = name
	}
	line := mark + " "
	if host != "" {
		word := "at "
		if p.Kind == a2a.PartBytes {
			word = "from "
		}
		about = k.join(word+host, about)
		// A long name must not push the host off the line.
		title = k.truncate(title, w-canvas.Width(line)-len(" ")-canvas.Width(word+host))
	}
	if title != "" {
		line += k.st.Text.S(title) + " "
	}
	lines := []string{k.truncate(line+k.st.Faint.S(about), w)}
	if open {
		if in != nil {
			return append(lines, indent(chipIndent, in.lines(k, max(w-chipIndent, 1)))...)
		}
		lines = append(lines, indent(chipIndent, k.content(p, w-chipIndent))...)
	}
	return lines
}

// describe returns the mark, the name and the words for a part that is not text.
func (k *renderer) describe(p *a2a.Part) (mark, title, about string) {
	title = k.clean(p.Filename)
	switch p.Kind {
	case a2a.PartData:
		mark = k.st.Chip.And(k.st.Agent).S(" { } ")
		about = k.join("data", k.clean(summary(p.Data)))
	case a2a.PartBytes:
		mark = k.fileMark(p)
		about = k.join(k.clean(p.MediaType), k.size(p.Size()))
		if p.MediaType == "" {
			about = k.join("file", k.size(p.Size()))
		}
	case a2a.PartURL:
		mark = k.st.Chip.And(k.st.Accent).S("  " + k.st.G[styles.Link] + "  ")
		if title == "" {
			title = k.clean(urlName(p.URL))
		}
		about = k.join(k.clean(p.MediaType), hostDoubt(p.URL))
		if hostname.OfLink(p.URL) == "" {
			about = k.join(k.clean(p.URL), about)
		}
	default:
		mark = k.glyph(k.st.Dim, styles.Unknown)
		title, about = "unknown part", k.clean(string(p.Raw[:min(len(p.Raw), 400)]))
	}
	return mark, title, about
}

func (k *renderer) fileMark(p *a2a.Part) string {
	if media.Image(p.MediaType) {
		return k.st.Chip.And(k.st.OK).S("  " + k.st.G[styles.Image] + "  ")
	}
	return k.st.Chip.S("  " + k.st.G[styles.File] + "  ")
}

// content draws the content of a part that is not text, as far as text can.
func (k *renderer) content(p *a2a.Part, w int) []string {
	switch p.Kind {
	case a2a.PartData:
		return k.pretty(p.Data, w)
	case a2a.PartURL:
		return k.addressLines(p, w)
	case a2a.PartBytes:
		return k.file(p, w)
	default:
		return k.pretty(p.Raw, w)
	}
}

// file draws the content of an inline file if that is text.
func (k *renderer) file(p *a2a.Part, w int) []string {
	const most = maxJSONLines * 200
	data, err := p.Head(most)
	if err != nil {
		return k.text(k.st.Dim, "The content is not base64, so it is not a file. The wire pane shows what came.", w)
	}
	if !media.Textual(data) {
		return k.text(k.st.Dim, "The content is binary, "+units.Bytes(p.Size())+".", w)
	}
	lines := k.capLines(k.text(k.st.Text, strings.ToValidUTF8(string(data), ""), w))
	if more := p.Size() - int64(len(data)); more > 0 && len(lines) <= maxJSONLines {
		lines = append(lines, k.st.Faint.S(k.truncate(k.st.G[styles.Ellipsis]+" "+units.Bytes(more)+" more", w)))
	}
	return lines
}

// urlName returns the last word of an address.
func urlName(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Path == "" || u.Path == "/" {
		return ""
	}
	return path.Base(u.Path)
}
