package filter

import "testing"

func TestErrorFindsTasksThatFailed(t *testing.T) {
	f := newRecording()
	f.request(0, "SendStreamingMessage", `{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Book"}]}}`)
	f.head(41, 200)
	f.event(2, `{"task":{"id":"91c2e0d4-77f1","contextId":"7f3a11b9-02c8","status":{"state":"TASK_STATE_WORKING"}}}`)
	f.event(2, `{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_FAILED"}}}`)
	f.event(2, `{"task":{"id":"91c2e0d4-77f1","contextId":"7f3a11b9-02c8","status":{"state":"TASK_STATE_REJECTED"}}}`)
	if got := f.hits(t, "error"); got != "4 5" {
		t.Errorf("error: got records %q, want 4 5", got)
	}
}
