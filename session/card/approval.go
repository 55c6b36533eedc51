package card

// An Approval says how a card became the one with which the later cards of its agent are compared. The zero
// value is that of a card about which it was not written down.
type Approval string

// The approvals.
const (
	ByUser       Approval = "user"
	AtFirstSight Approval = "first sight" // Parley took the card when it first saw the agent, and nobody was asked
)

// Since names the time of an approval, to follow what has changed.
func (a Approval) Since(date string) string {
	switch a {
	case ByUser:
		return "since you approved it on " + date
	case AtFirstSight:
		return "since Parley first saw it on " + date
	}
	return "since " + date
}

// As says that a card is as it was.
func (a Approval) As(date string) string {
	switch a {
	case ByUser:
		return "as you approved it on " + date
	case AtFirstSight:
		return "as Parley first saw it on " + date
	}
	return "as on " + date
}

// Label names the time of an approval in a list.
func (a Approval) Label() string {
	if a == AtFirstSight {
		return "first seen"
	}
	return "approved"
}
