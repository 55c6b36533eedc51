package a2a

// feature is a trait of the objects in a payload by which dialects can be told
// apart.
type feature uint16

const (
	sawWrapper   feature = 1 << iota // task, message, statusUpdate or artifactUpdate around the object: 1.0
	sawProtoWord                     // ROLE_USER, TASK_STATE_WORKING: 1.0, and 0.3 over HTTP+JSON
	sawKind                          // kind on an event, task or message: 0.2 and 0.3
	sawPartKind                      // kind on a part: 0.2 and 0.3
	sawPartType                      // type on a part: 0.1
	sawPlainWord                     // user, working: before 1.0
	sawFile                          // a file object in a part: before 1.0
	sawProto03                       // content, fileWithBytes, CANCELLED: 0.3 over HTTP+JSON
	sawSession                       // sessionId: 0.1
	sawIndex                         // index, append or lastChunk inside an artifact: 0.1
	sawIDStatus                      // a status event with id and final: 0.1
	sawFinal                         // final on a status event: before 1.0
	sawSnake                         // snake_case members
	sawOther                         // anything else that is not the shape of 1.0
)

// evidence reports which dialect the payload speaks, if it differs from that of the call.
func (d *decoder) evidence() {
	dialect, reason := d.dialectOf()
	d.update.Shape = dialect
	binding := d.call.Binding
	switch {
	case dialect == Unknown,
		dialect == d.call.Dialect,
		d.call.Dialect == SAMDoc, // a mixture by design, spoken only by those who pinned it
		dialect == V03 && d.call.Dialect == V02:
		return
	}
	confidence := Likely
	if d.features&sawSnake == 0 && (binding == BindingJSONRPC || binding == "") {
		confidence = Certain
	}
	d.update.Saw = append(d.update.Saw, Evidence{
		Field: "dialect", Value: string(dialect), Reason: "the answer has " + reason, Confidence: confidence,
	})
}

// dialectOf returns the dialect that the traits prove, and the trait. An answer that mixes
// dialects proves nothing.
func (d *decoder) dialectOf() (dialect DialectName, reason string) {
	old := d.features&(sawSession|sawIDStatus|sawIndex|sawPartType) != 0
	middle := d.features&(sawKind|sawPartKind) != 0
	wrapped := d.features&sawWrapper != 0
	switch {
	case old && !middle && !wrapped:
		switch {
		case d.features&sawSession != 0:
			return V01, "a sessionId"
		case d.features&sawIDStatus != 0:
			return V01, "a status event with id and final"
		case d.features&sawIndex != 0:
			return V01, "chunk marks inside the artifact"
		}
		return V01, "parts with a type"
	case middle && !old && !wrapped && d.call.Dialect == V01 && d.features&sawSnake != 0:
		return SAMDoc, "snake_case members and a kind on its objects, as the documentation of Solace Agent Mesh describes"
	case middle && !old && !wrapped:
		return V03, "a kind on its objects"
	case d.features&sawProto03 != 0 && !old && !middle:
		return V03, "the words of 0.3 over HTTP+JSON"
	case wrapped && d.features&sawProtoWord != 0 && !old && !middle && d.call.Binding != BindingREST && d.call.Binding != BindingGRPC:
		// Over HTTP+JSON and gRPC 0.3 has the same wrapper and words.
		return V10, "the wrapper and words of 1.0"
	}
	return Unknown, ""
}

// markV1 remembers that the event, and what it holds, can be passed on unchanged because it has
// the shape of 1.0 throughout.
func (e *Event) markV1(pure bool) {
	if !pure {
		return
	}
	e.v1 = true
	if e.Task != nil {
		e.Task.v1 = true
	}
	if e.Message != nil {
		e.Message.v1 = !e.Message.IDMade
	}
	for i := range e.Tasks {
		e.Tasks[i].v1 = true
	}
}
