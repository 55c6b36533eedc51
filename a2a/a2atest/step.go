package a2atest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// step reads one step line.
func (p *parser) step(word, rest string) (step, error) {
	parse, ok := map[string]func(string) (step, error){
		"head": p.head, "header": p.header, "send": p.send, "stream": p.stream, "repeat": p.repeat,
		"pause": p.pause, "set": p.set, "add": p.add, "let": p.let, "goto": p.move, "hang": p.hang,
		"cut": p.cut, "reset": p.reset, "restart": p.restart, "leave": p.leave, "webhook": p.webhook, "notify": p.notify,
	}[word]
	if !ok {
		return nil, errors.New("unknown step")
	}
	return parse(rest)
}

// always makes a step of an action that cannot fail.
func always(do func(*run)) step {
	return func(r *run) error {
		do(r)
		return nil
	}
}

func (p *parser) head(rest string) (step, error) {
	code, mediaType, _ := strings.Cut(rest, " ")
	status, err := strconv.Atoi(code)
	if err != nil || status < 200 || status > 999 {
		return nil, fmt.Errorf("%q is not a status code", code)
	}
	return always(func(r *run) { r.out.head(status, mediaType) }), nil
}

func (p *parser) header(rest string) (step, error) {
	name, v, ok := strings.Cut(rest, ":")
	if !ok {
		return nil, errors.New("want NAME: VALUE")
	}
	t, err := compile([]byte(strings.TrimSpace(v)))
	return always(func(r *run) { r.out.header(name, string(r.expand(nil, t, nil, true))) }), err
}

// fileWithValues reads FILE [K=V…] and returns what produces the bytes.
func (p *parser) fileWithValues(rest string) (func(*run) []byte, error) {
	name, rest, _ := strings.Cut(rest, " ")
	args, err := p.assignments(rest)
	if err != nil {
		return nil, err
	}
	p.neededFiles = append(p.neededFiles, name)
	return func(r *run) []byte {
		given := values{}
		for k, t := range args {
			given[k] = value{s: string(r.expand(nil, t, nil, false))}
		}
		if v, ok := r.task.value(name); ok && len(given) == 0 {
			return []byte(v.s)
		}
		if t, ok := r.agent.script.files[name]; ok {
			return r.expand(nil, t, given, false)
		}
		return r.appendValue(nil, name, given, false)
	}, nil
}

func (p *parser) send(rest string) (step, error) {
	fill, err := p.fileWithValues(rest)
	return always(func(r *run) { r.send(fill(r)) }), err
}

func (p *parser) set(rest string) (step, error) { return p.keep(rest, (*task).set) }

func (p *parser) add(rest string) (step, error) { return p.keep(rest, (*task).add) }

// keep reads NAME FILE [K=V…]: a value for the task, and how it is stored.
func (p *parser) keep(rest string, how func(t *task, name, s string)) (step, error) {
	name, rest, _ := strings.Cut(rest, " ")
	if builtin(name) {
		return nil, fmt.Errorf("%s is a name of the engine", name)
	}
	p.values[name] = true
	fill, err := p.fileWithValues(rest)
	return func(r *run) error {
		s := strings.TrimRight(string(fill(r)), "\n")
		return r.change(func(t *task) { how(t, name, s) })
	}, err
}

func (p *parser) let(rest string) (step, error) {
	args, err := p.assignments(rest)
	return func(r *run) error {
		for k, t := range args {
			s := string(r.expand(nil, t, nil, false))
			if err := r.change(func(t *task) { t.set(k, s) }); err != nil {
				return err
			}
		}
		return nil
	}, err
}

func (p *parser) move(rest string) (step, error) {
	if rest == "" || strings.Contains(rest, " ") {
		return nil, errors.New("want one state")
	}
	return func(r *run) error {
		r.agent.remember(r.task)
		return r.change(func(t *task) { t.move(rest) })
	}, nil
}

func (p *parser) pause(rest string) (step, error) {
	b, err := parseBeat(rest)
	return func(r *run) error {
		r.pauses++
		return r.wait(b.at(r.pauses))
	}, err
}

func (p *parser) hang(gate string) (step, error) {
	return func(r *run) error { return r.hang(gate) }, nil
}

func (p *parser) leave(string) (step, error) {
	return func(*run) error { return errAnswered }, nil
}

func (p *parser) webhook(string) (step, error) {
	return func(r *run) error {
		_, hooked := r.task.webhooks()
		return r.until(hooked, nil)
	}, nil
}

func (p *parser) notify(rest string) (step, error) {
	fill, err := p.fileWithValues(rest)
	return always(func(r *run) { r.notify(fill(r)) }), err
}

func (p *parser) cut(string) (step, error) {
	return always(func(r *run) { r.out.cut(false) }), nil
}

func (p *parser) reset(string) (step, error) {
	return always(func(r *run) { r.out.cut(true) }), nil
}

func (p *parser) restart(rest string) (step, error) {
	d, err := time.ParseDuration(rest)
	return func(r *run) error {
		r.agent.Restart(d)
		r.out.cut(false)
		return errClosed
	}, err
}

func (p *parser) repeat(rest string) (step, error) {
	words := strings.Fields(rest)
	if len(words) < 2 {
		return nil, errors.New("want N FILE [every D]")
	}
	n, err := strconv.Atoi(words[0])
	if err != nil {
		return nil, fmt.Errorf("%q is not a number", words[0])
	}
	name := words[1]
	p.neededFiles = append(p.neededFiles, name)
	o, err := chunkOptions(words[2:])
	return func(r *run) error {
		for i := range n {
			if err := r.wait(o.every.at(i)); err != nil {
				return err
			}
			args := values{"n": {s: strconv.Itoa(i + 1)}}
			r.send(r.expand(nil, r.agent.script.files[name], args, false))
		}
		return nil
	}, err
}

func (p *parser) stream(rest string) (step, error) {
	words := strings.Fields(rest)
	with := 0
	for with < len(words) && words[with] != "with" {
		with++
	}
	if with == 0 || with+1 >= len(words) {
		return nil, errors.New("want FILE… with FILE [words N] [every D]")
	}
	files, around := words[:with], words[with+1]
	p.neededFiles = append(append(p.neededFiles, around), files...)
	o, err := chunkOptions(words[with+2:])
	return func(r *run) error { return r.stream(files, around, o) }, err
}

// A chunkPace is how a stream is divided and timed.
type chunkPace struct {
	words int // per chunk, on average
	every beat
}

func chunkOptions(words []string) (o chunkPace, err error) {
	o.words = 1
	for i := 0; i < len(words); i += 2 {
		if i+1 == len(words) {
			return o, fmt.Errorf("%s: an argument is missing", words[i])
		}
		switch words[i] {
		case "words":
			if o.words, err = strconv.Atoi(words[i+1]); err != nil || o.words < 1 {
				return o, fmt.Errorf("%q is not a number of words", words[i+1])
			}
		case "every":
			if o.every, err = parseBeat(words[i+1]); err != nil {
				return o, err
			}
		default:
			return o, fmt.Errorf("unknown option %q", words[i])
		}
	}
	return o, nil
}

// A beat is a pause between two bounds. The n-th one is always equally long.
type beat struct{ min, max time.Duration }

func parseBeat(s string) (b beat, err error) {
	low, high, varies := strings.Cut(s, "..")
	if b.min, err = time.ParseDuration(low); err != nil {
		return b, err
	}
	if !varies {
		high = low
	}
	if b.max, err = time.ParseDuration(high); err == nil && (b.min < 0 || b.max < b.min) {
		err = fmt.Errorf("%q is not a pause", s)
	}
	return b, err
}

func (b beat) at(n int) time.Duration {
	return b.min + (b.max-b.min)*time.Duration(uneven(n)%64)/63
}

// uneven spreads n over the numbers without a visible pattern.
func uneven(n int) uint32 {
	h := uint32(n+1) * 2654435761
	return (h ^ h>>15) >> 3
}
