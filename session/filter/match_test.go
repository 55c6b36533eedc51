package filter

import (
	"testing"

	"parley/a2a"
	"parley/session/log"
)

func TestFiltersListWhatTheySay(t *testing.T) {
	f := desk()
	const all = "1 2 3 4 5 6 7 8 9 10 11 12 13 14"
	for _, c := range []struct{ text, want string }{
		{"", all}, {"  ", all},
		{"dir:out", "1 10"}, {"dir:local", "14"}, {"DIR:In kind:response", "2 11"},
		{"kind:request", "1 10"}, {"kind:body", "12"}, {"kind:event", "3 4 5 6 7 8"}, {"kind:end,note", "9 13 14"},
		{"kind:task", "3"}, {"kind:artifact", "5 6"}, {"kind:status", "4 7 8"}, {"kind:error", "12"},
		{"method:SendStreaming", "1 2 3 4 5 6 7 8 9"}, {"method:get", "10 11 12 13"}, {"method=gettask", "10 11 12 13"}, {"method=Get", "10 11 12 13"}, {"method=tas", ""},
		{"method:/^send.*message$/ dir:out", "1"},
		{"state:working", "4"}, {"state:TASK_STATE_INPUT_REQUIRED", "8"}, {"state:inputRequired,submitted", "3 8"}, {"state:other", "7"}, {`state:"Pondering"`, "7"}, {`state:"working"`, ""},
		{"state:/^pond|submitted/", "3 7"},
		{"task:91c2", "1 2 3 4 5 6 7 8 9"}, {"task:91c2 end:cut", "9"}, {"task:000017", "10 11 12 13"}, {"task=task-000017 kind:body", "12"}, {"task:17 ctx:9", "10 11 12 13"},
		{"ctx:7F3A", "1 2 3 4 5 6 7 8 9"}, {"ctx=7f3a", ""},
		{`agent:"travel desk"`, "1 2 3 4 5 6 7 8 9"}, {"agent:clerk", "10 11 12 13 14"}, {`agent:/^old/ not dir:local`, "10 11 12 13"},
		{"artifact:itinerary", "5 6"}, {"artifact=a1", "5 6"}, {"artifact:b", ""},
		{"status:404", "11"}, {"status:2xx", "2"}, {"status:400-499", "11"}, {"status>=400", "11"}, {"status:>300", "11"}, {"status<300", "2"}, {"status=200,404", "2 11"},
		{"error", "9 11 12 14"}, {`"error"`, "12"}, {"end:cut", "9"}, {"end:ended,cut", "9 13"},
		{"finding", "7 8"}, {"finding:E", "7"}, {"finding:warning,error", "7 8"}, {"finding:info", ""}, {"finding:stat", "7 8"}, {"finding:STAT-004", "7"},
		{"finding=STAT-00", ""}, {"finding:/9$/", "8"}, {"finding:art", ""}, {"finding:art-003", "5"},
		{"size>10k", "6"}, {"size>=0.0005MB", "6"}, {"size<10", "2 9 11 13 14"}, {"size=0 kind:note", "14"}, {"size>10KiB", "6"}, {"size>16k", "6"}, {"size>16KiB", ""},
		{"gap>2s", "6"}, {"gap:max", "6"}, {"gap:MAX kind:event", "6"}, {"gap:max gap<2s", ""}, {"gap>=96ms gap<1m", "4 5 6"}, {"gap>1h", ""}, {"gap<2ms", "9 12 13"},
		{"since:14:03", "10 11 12 13 14"}, {"since:14:02:02.4", "6 7 8 9 10 11 12 13 14"}, {"since:2s", "10 11 12 13 14"}, {"since:-1s", "13 14"}, {"since:+1min", "10 11 12 13 14"},
		{"since:2026-11-20T14:03", "10 11 12 13 14"}, {"since:2026-11-20T15:03:00+01:00", "10 11 12 13 14"}, {"since:#12", "12 13 14"}, {"#12", "12"}, {"#3 or #5", "3 5"}, {"not #3 until:#4", "1 2 4"}, {"#99", ""}, {"since:15:00", ""}, {"since:13:00", all},
		{"until:#3", "1 2 3"}, {"until:13:00", ""}, {"until:15:00", all}, {"since:#4 until:#6", "4 5 6"}, {"until:2s", "1 2 3 4 5 6 7 8 9"}, {"until:+0s", "1"}, {"since:14:03 until:+1h", "10 11 12 13 14"},
		{"comment", "5 8"}, {"comment:CHUNK", "5"}, {`comment="why?"`, "8"}, {"comment=why", ""}, {"not comment:/chunk/ comment", "8"},
		{"marked", "4"}, {"not marked dir:in state:/./", "3 7 8"},
		{"itinerary", "5 6"}, {`"ITINERARY.md +16 kB"`, "6"}, {"input-required", "8"}, {"traceparent", "1 10"}, {`"/a2a"`, "1 10"}, {"door", "14"}, {"event-stream", "2 11"},
		{"zürich", "5"}, {"ÉTÉ", "5"}, {"grüsse", ""}, {"GRÜßE", "6"}, {`"\"10\""`, "5"}, {"/z.{6}rich/", "5"}, {"/(?-i)Input/", ""}, {"/INPUT-req/", "8"},
		{"task and not found", "3 4 5 6 7 8 10"}, {`"task not found"`, "12"},
		{"dir:out or marked", "1 4 10"}, {"dir:out or dir:in kind:end or marked", "1 4 9 10 13"}, {"(dir:out or marked) send", "1"},
		{"not (dir:in or dir:out)", "14"}, {"NOT dir:in AND NOT dir:out", "14"}, {"not not dir:local", "14"}, {"((dir:local))", "14"},
	} {
		if got := f.hits(t, c.text); got != c.want {
			t.Errorf("%s: got records %q, want %q", c.text, got, c.want)
		}
	}
}

func TestAFilterNeedsNoEnvironment(t *testing.T) {
	f := desk()
	for _, text := range []string{"agent:a", "gap>1s", "marked", "finding:E", "since:14:00", "since:2m", "until:14:00", "until:+2m", "until:#3"} {
		flt, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i <= f.State.Log.Len(); i++ {
			flt.Match(f.State.Log.At(a2a.RecordID(i)), nil)
		}
	}
}

func TestAFilterTellsWhatItLooksAt(t *testing.T) {
	for text, want := range map[string]Uses{
		"": 0, "a dir:in": UsesBytes, "marked": UsesMarks, "not (task:a or marked)": UsesMarks | UsesTasks, "finding:E marked": UsesMarks | UsesMutes, "finding or /b/": UsesMutes | UsesBytes,
	} {
		flt, err := Parse(text)
		if err != nil || flt.Uses() != want || flt.String() != text {
			t.Errorf("%q: got filter %v that uses %v (%v), want uses %v", text, flt, flt.Uses(), err, want)
		}
	}
}

func TestAStatusIsAFailureFrom400(t *testing.T) {
	for status, want := range map[int]bool{200: false, 302: false, 399: false, 400: true, 404: true, 500: true} {
		it := &log.Item{Record: a2a.Record{Kind: a2a.KindHead, Head: &a2a.Head{Status: status}}}
		if got := failed(it, nil); got != want {
			t.Errorf("status %d: got failed %v, want %v", status, got, want)
		}
	}
}
