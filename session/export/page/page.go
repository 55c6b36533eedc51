// Package page exports a session as one HTML file: the conversations and, beside them, the
// records of the wire. Every line of a conversation links to the record that brought it, and
// every record to what it built.
//
// The page asks nobody for anything: styles and script are inside, named by their hashes in a
// content security policy that forbids all else. It is readable without the script, which only
// filters and colours. Everything of the session is escaped, in [out] alone; the frame of the page
// is a template, but the rows are not, because a template takes ten times as long.
package page

import (
	"context"
	"crypto/sha256"
	_ "embed" // the styles and the script
	"encoding/base64"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"reflect"
	"strings"
	"sync"

	"parley/internal/units"
	"parley/internal/visible"
	"parley/session/export/excerpt"
	"parley/themes"
)

//go:embed page.css
var css string

//go:embed page.js
var script string

// frame is what stands around the conversations and the wire.
var frame = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("frame").Parse(`{{define "top"}}<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{.Policy}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Parley">
<title>{{.Title}}</title>
<style>{{.CSS}}</style>
</head>
<body>
<header>
<b class="logo">parley</b>
<h1>{{.Title}}</h1>
<p>{{.About}}</p>
<fieldset><legend>Theme</legend><label><input type="radio" name="theme" id="auto" checked>auto</label><label><input type="radio" name="theme" id="light">light</label><label><input type="radio" name="theme" id="dark">dark</label></fieldset>
</header>
<nav><a href="#talk">conversation</a><a href="#wire">wire</a></nav>
<main>
{{end}}{{define "bottom"}}</main>
<script>{{.Script}}</script>
</body>
</html>
{{end}}`))
})

// Write writes an excerpt as a page. It calls step after each turn and each record.
func Write(ctx context.Context, to io.Writer, p *excerpt.Excerpt, step func(done, total int)) error {
	styles := colours() + css
	w := newOut(to)
	data := struct {
		Title, About, Policy string
		CSS                  template.CSS
		Script               template.JS
	}{
		visible.Line(p.Name), visible.Line(about(p)),
		"default-src 'none'; style-src '" + hash(styles) + "'; script-src '" + hash(script) + "'; img-src data:; base-uri 'none'; form-action 'none'",
		template.CSS(styles), template.JS(script),
	}
	if err := frame().ExecuteTemplate(w, "top", data); err != nil {
		return err
	}
	pg := &page{out: w, excerpt: p, ctx: ctx, step: step, places: newPlaces(), total: p.Len()}
	for _, c := range p.Conversations {
		pg.total += len(c.Turns)
	}
	pg.conversations()
	pg.wire()
	if pg.err != nil {
		return pg.err
	}
	if err := frame().ExecuteTemplate(w, "bottom", data); err != nil {
		return err
	}
	return w.Flush()
}

// A page is being written.
type page struct {
	*out
	excerpt     *excerpt.Excerpt
	places      *places
	ctx         context.Context // of the only call that uses it
	step        func(done, total int)
	done, total int
	err         error // of ctx
}

// advance reports progress, and whether to go on.
func (p *page) advance() bool {
	p.done++
	p.step(p.done, p.total)
	if p.err == nil {
		p.err = p.ctx.Err()
	}
	return p.err == nil
}

// about describes an excerpt in one line.
func about(p *excerpt.Excerpt) string {
	words := []string{units.Plural(p.Len(), "record"), units.Plural(len(p.Conversations), "conversation")}
	if began := p.Began(); !began.IsZero() {
		words = append(words, began.UTC().Format("2 Jan 2006, 15:04:05 UTC"))
	}
	if p.Filter != "" {
		words = append(words, "filter: "+p.Filter)
	}
	return strings.Join(words, " · ")
}

// hash returns the name of an inline element in a policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// colours are the colours of the workbench as variables, both themes in one.
func colours() string {
	var b strings.Builder
	b.WriteString(":root{color-scheme:light dark;")
	light, dark := reflect.ValueOf(themes.Light()), reflect.ValueOf(themes.Dark())
	for i := range light.NumField() {
		l, isColour := light.Field(i).Interface().(color.Color)
		d, _ := dark.Field(i).Interface().(color.Color)
		if isColour {
			fmt.Fprintf(&b, "--%s:light-dark(%s,%s);", strings.ToLower(light.Type().Field(i).Name), hex(l), hex(d))
		}
	}
	return b.String() + "}\n"
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
