package matrix

import (
	"fmt"

	"parley/a2a"
)

// An Agent is the agent behind the proxy: its URL and its real dialect.
type Agent struct {
	Name     string
	Endpoint string
	Dialect  a2a.DialectName // of JSON-RPC, or over HTTP+JSON the version
	Binding  a2a.Binding
	Tenant   string
}

// A Card is a possible claim of a card about its version.
type Card string

// The cards.
const (
	Says10       Card = "1.0"
	Says03       Card = "0.3"
	Says02       Card = "0.2"
	Says01       Card = "0.1"
	SaysNothing  Card = "nothing"
	SaysNonsense Card = "nonsense"
)

var cards = [...]Card{Says10, Says03, Says02, Says01, SaysNothing, SaysNonsense}

// A Cell is one combination of card and methods.
type Cell struct {
	Card         Card
	Push, Stream bool // the optional methods exist
}

func (c Cell) String() string {
	with := map[bool]string{true: "with", false: "without"}
	return fmt.Sprintf("card says %s, %s push, %s streaming", c.Card, with[c.Push], with[c.Stream])
}

// Cells returns the cells of agent number n: all of them, or so few that with the cells of the
// other agents every pair of values occurs.
func Cells(agent int, all bool) []Cell {
	var list []Cell
	for i, card := range cards {
		for _, push := range []bool{false, true} {
			for _, stream := range []bool{false, true} {
				if all || push == ((agent+i)%2 == 0) && stream == ((agent/2+i/2)%2 == 0) {
					list = append(list, Cell{card, push, stream})
				}
			}
		}
	}
	return list
}
