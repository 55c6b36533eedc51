package a2a

// Detect decides from a card alone how to talk to its agent.
func Detect(card *Card) Profile { return Profile{Problem: "not there yet"} }
