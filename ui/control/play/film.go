package play

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/internal/visible"
	"parley/session/script"
	"parley/ui/control"
	"parley/ui/shot"
)

// Films reports whether the frames of the play become a film.
func (c *Controller) Films() bool { return c.state == plays && c.opts.Script.Outputs() != nil }

// Film adds a frame that is shown now, if its content is another one than that of the last. The
// time in which the user paused the play is not in the film.
func (c *Controller) Film(content string, frame func() shot.Frame) {
	if content == c.content {
		return
	}
	c.content = content
	c.film.Add(frame(), c.now().Sub(c.began))
}

// A screenshot waits for the jobs that draw, such as Markdown.
const (
	settleTime = 150 * time.Millisecond // between looks
	maxLooks   = 100                    // then it shows what there is
)

// screenshot writes the screen to a file.
func (c *Controller) screenshot(s *script.Step) tea.Cmd { return c.look(s, maxLooks) }

// look writes the screen to a file when nothing is being drawn, or at the last of the looks.
func (c *Controller) look(s *script.Step, looks int) tea.Cmd {
	return c.after(settleTime, func() tea.Cmd {
		if c.play.Step() != s {
			return nil // it was skipped meanwhile
		}
		if looks > 1 && c.links.Drawing() {
			return c.look(s, looks-1)
		}
		frame := c.links.Screen()
		return c.writeFile(s.Text, func() ([]byte, error) {
			if strings.EqualFold(filepath.Ext(s.Text), ".ansi") {
				return frame.ANSI(), nil
			}
			return frame.PNG()
		}, func(f File) tea.Cmd {
			switch {
			case c.play.Step() != s:
				return nil
			case f.Problem != "":
				return c.did(f.Sentence())
			}
			return c.did("")
		})
	})
}

// writeFilm writes the film to the files of the script.
func (c *Controller) writeFilm() tea.Cmd {
	film, end := c.film, c.now().Sub(c.began)
	var cmds []tea.Cmd
	for _, path := range c.opts.Script.Outputs() {
		cmds = append(cmds, c.writeFile(path, func() ([]byte, error) {
			if film.Len() == 0 {
				return nil, errors.New("there is no frame")
			}
			if strings.EqualFold(filepath.Ext(path), ".cast") {
				return film.Cast(visible.Line(c.opts.Script.Name), c.began, end), nil
			}
			return film.GIF(end)
		}, func(File) tea.Cmd { return c.finish() }))
	}
	return tea.Batch(cmds...)
}

// writeFile makes a file and writes it, outside of Update.
func (c *Controller) writeFile(name string, data func() ([]byte, error), then func(File) tea.Cmd) tea.Cmd {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.opts.Dir, path)
	}
	c.writes++
	return func() tea.Msg {
		f := File{Path: name}
		b, err := data()
		if err == nil {
			err = shot.Replace(path, b)
		}
		if f.Size = len(b); err != nil {
			f.Problem = fileProblem(err)
		}
		return control.DoneMsg(func() tea.Cmd {
			c.writes--
			c.result.Files = append(c.result.Files, f)
			return tea.Batch(then(f), c.finish())
		})
	}
}

// fileProblem says why a file was not written, as a clause.
func fileProblem(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "its folder does not exist"
	}
	return units.FileError(err)
}

// Sentence says what became of the file.
func (f *File) Sentence() string {
	if f.Problem != "" {
		return "Could not write " + visible.Line(f.Path) + ": " + f.Problem + "."
	}
	return "Wrote " + visible.Line(f.Path) + " (" + units.Bytes(int64(f.Size)) + ")."
}
