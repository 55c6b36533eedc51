package tmux

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A control is a client of the session in tmux's control mode: it runs commands over a pipe, because
// starting a program for each look at the screen costs more than what most tests run.
type control struct {
	client *exec.Cmd
	in     io.WriteCloser
	pipe   *os.File
	out    *bufio.Reader
}

// patience is how long tmux may take to answer a command.
const patience = time.Minute

// attach starts the client. It counts for no size, and hears nothing of what the program prints.
func attach(client *exec.Cmd) (*control, error) {
	c := &control{client: client}
	var err error
	if c.in, err = client.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := client.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.pipe, c.out = out.(*os.File), bufio.NewReader(out)
	if err := client.Start(); err != nil {
		return nil, err
	}
	if _, err = c.answer(); err != nil { // that to the attachment
		c.close()
		return nil, err
	}
	return c, nil
}

// run runs a command and returns what it printed.
func (c *control) run(args []string) (string, error) {
	var line strings.Builder
	for _, arg := range args {
		line.WriteString(word(arg))
		line.WriteByte(' ')
	}
	line.WriteByte('\n')
	if _, err := io.WriteString(c.in, line.String()); err != nil {
		return "", err
	}
	return c.answer()
}

// word makes one word of s for tmux: what could have a meaning for it becomes a number.
func word(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0x80, c == ' ', '0' <= c && c <= '9', 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// answer reads the next answer to a command. What tmux tells between answers is passed over.
func (c *control) answer() (string, error) {
	if err := c.pipe.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return "", err
	}
	var id string // time, number and flags, the same at the beginning and at the end
	for began := false; !began; {
		line, err := c.out.ReadString('\n')
		if err != nil {
			return "", fmt.Errorf("tmux gave no answer: %w", err)
		}
		id, began = strings.CutPrefix(line, "%begin ")
	}
	var said strings.Builder
	for {
		line, err := c.out.ReadString('\n')
		switch {
		case err != nil:
			return "", fmt.Errorf("tmux broke off its answer: %w", err)
		case line == "%end "+id:
			return said.String(), nil
		case line == "%error "+id:
			return "", fmt.Errorf("%s", strings.TrimSpace(said.String()))
		}
		said.WriteString(line)
	}
}

// close ends the client.
func (c *control) close() {
	_ = c.in.Close()
	_ = c.client.Wait() // its server may have ended before
}
