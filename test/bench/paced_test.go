package bench

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// pace is the path of an agent that answers with a stream of so many events, so
// many of them a second; at rate 0 as fast as they can be read.
func pace(rate, count int) string { return fmt.Sprintf("/paced/%d/%d", rate, count) }

// paced adds the agents of [pace] to those that serve answers for.
func paced(url string) {
	http.HandleFunc("GET /paced/{rate}/{count}/.well-known/agent-card.json", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		at, _, _ := strings.Cut(r.URL.Path, "/.well-known")
		fmt.Fprintf(w, card, url+at)
	})
	http.HandleFunc("POST /paced/{rate}/{count}", func(w http.ResponseWriter, r *http.Request) {
		rate, _ := strconv.Atoi(r.PathValue("rate"))
		count, _ := strconv.Atoi(r.PathValue("count"))
		body, _ := io.ReadAll(r.Body)
		_, rest, _ := bytes.Cut(body, []byte(`"id":`))
		id, _, _ := bytes.Cut(rest, []byte(`,`))
		w.Header().Set("Content-Type", "text/event-stream")
		if rate == 0 {
			burst(w, id, count)
		} else {
			drip(w, id, rate, count)
		}
		fmt.Fprintf(w, "data: "+over+"\n\n", id)
	})
}

// burst writes count events in blocks that are made before.
func burst(w io.Writer, id []byte, count int) {
	const most = 200
	block := bytes.Repeat(fmt.Appendf(nil, "data: "+chunk+"\n\n", id), most)
	one := len(block) / most
	for n := 0; n < count; n += most {
		if _, err := w.Write(block[:one*min(most, count-n)]); err != nil {
			return
		}
	}
}

// drip writes count events at a rate. The text of each is the time at which it was
// written, in microseconds, and a space.
func drip(w http.ResponseWriter, id []byte, rate, count int) {
	before, after, _ := strings.Cut("data: "+fmt.Sprintf(chunk, id)+"\n\n", words)
	flush := http.NewResponseController(w)
	began := time.Now()
	var block []byte
	for n := 0; n < count; {
		due := min(count, 1+int(time.Since(began).Seconds()*float64(rate)))
		block = block[:0]
		for ; n < due; n++ {
			block = append(block, before...)
			block = strconv.AppendInt(block, time.Now().UnixMicro(), 10)
			block = append(append(block, ' '), after...)
		}
		if _, err := w.Write(block); err != nil {
			return
		}
		if flush.Flush() != nil {
			return
		}
		time.Sleep(time.Until(began.Add(time.Duration(float64(n) / float64(rate) * float64(time.Second)))))
	}
}
