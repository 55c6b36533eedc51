package problem

import "testing"

func TestAdviceStandsFirst(t *testing.T) {
	for sentence, want := range map[string]string{
		"The connection broke after 413 bytes. Get the task to see how it went.":                         "Get the task to see how it went. The connection broke after 413 bytes.",
		"The connection broke after 1 byte. Try again.":                                                  "Try again. The connection broke after 1 byte.",
		"The connection broke after 1 byte. The agent may be working on the message.":                    "The connection broke after 1 byte. The agent may be working on the message.",
		"Get the task to see how it went.":                                                               "Get the task to see how it went.",
		"The agent closed the stream while the task was still working. Get the task to see how it went.": "Get the task to see how it went. The agent closed the stream while the task was still working.",
	} {
		if got := AdviceFirst(sentence); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestWhatParleyDoesIsNotAdvised(t *testing.T) {
	for sentence, want := range map[string]string{
		"The stream broke inside an event. Get the task to see how it went.": "The stream broke inside an event.",
		"The connection broke after 1 byte. Try again.":                      "The connection broke after 1 byte.",
		"Try again.":                      "Try again.",
		"The recording ends in an event.": "The recording ends in an event.",
		"":                                "",
	} {
		if got := WithoutAdvice(sentence); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
