package a2atest

import "strconv"

// A feed is a file on its way into a stream.
type feed struct {
	file string
	text []byte
	at   int // bytes sent
	n    int // chunks sent
}

// stream sends files in chunks, each inside the file named around. Several files
// take turns, so that their chunks interleave.
func (r *run) stream(files []string, around string, o chunkPace) error {
	var feeds []*feed
	for _, name := range files {
		f := &feed{file: name, text: r.plainText(name), at: r.task.progress(name)}
		if f.at < len(f.text) {
			feeds = append(feeds, f)
		}
	}
	for turn := 0; len(feeds) > 0; turn++ {
		if err := r.wait(o.every.at(turn)); err != nil {
			return err
		}
		f := feeds[0]
		r.send(r.expand(nil, r.agent.script.files[around], r.chunk(f, o.words), false))
		feeds = feeds[1:]
		if f.at < len(f.text) {
			feeds = append(feeds, f)
		}
	}
	return nil
}

// chunk cuts the next chunk off a feed and returns what a file can say about it.
func (r *run) chunk(f *feed, words int) values {
	first := f.at == 0
	end := f.at + cutWords(f.text[f.at:], 1+int(uneven(f.n)%uint32(2*words-1)))
	chunk := f.text[f.at:end]
	f.at = end
	f.n++
	r.task.addProgress(f.file, end)
	return values{
		"chunk":  {s: string(chunk), text: true},
		"file":   {s: f.file, text: true},
		"n":      {s: strconv.Itoa(f.n)},
		"append": {s: strconv.FormatBool(!first)},
		"last":   {s: strconv.FormatBool(end == len(f.text))},
	}
}

// cutWords returns the length of the first n words with the space that follows them. Words end
// at ASCII space, so no character is ever divided.
func cutWords(text []byte, n int) int {
	i := 0
	for ; n > 0 && i < len(text); n-- {
		for i < len(text) && isSpace(text[i]) {
			i++
		}
		for i < len(text) && !isSpace(text[i]) {
			i++
		}
		for i < len(text) && isSpace(text[i]) {
			i++
		}
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }
