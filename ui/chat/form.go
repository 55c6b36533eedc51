package chat

import (
	"bytes"
	"path"

	"parley/a2a"
	"parley/ui/markdown"
	"parley/ui/media"
)

// newProse returns an empty text of a form.
func (k *renderer) newProse(f media.Form, language string, resets uint64) *prose {
	text := &prose{resets: resets}
	switch f {
	case media.Markdown:
		text.md = markdown.New(k.st, k.clock)
	case media.Code, media.JSON:
		text.md = markdown.NewCode(k.st, k.clock, language)
	}
	return text
}

// newPartContent returns the decoded form of a part, nil if text is the best one.
func (k *renderer) newPartContent(p *a2a.Part) partContent {
	switch {
	case p.Kind == a2a.PartData:
		if in := insetOf(k.st, p.Data, media.JSON); in != nil {
			return in
		}
	case p.Kind == a2a.PartBytes && p.Size() <= maxTable:
		f, language := media.Of(p.MediaType, p.Filename)
		if p.MediaType == "" && path.Ext(p.Filename) == "" {
			f = media.Text // nothing says that it is Markdown
		}
		data, err := p.Bytes()
		if err != nil || f == media.Text || !media.Textual(data) {
			return nil
		}
		if in := insetOf(k.st, data, f); in != nil {
			return in
		}
		if f == media.CSV || len(data) > maxSource {
			return nil
		}
		text := k.newProse(f, language, 0)
		text.update(bytes.TrimRight(data, "\n"), 0, false)
		return text
	}
	return nil
}
