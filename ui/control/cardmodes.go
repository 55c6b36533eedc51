package control

import "parley/a2a"

// CardModes caches the media types of the card that was read last. A card may have ten thousand
// skills, and its media types are needed for every frame.
type CardModes struct {
	card          *a2a.Card
	input, output []string
}

// Input returns the media types that the agent of a card accepts, nil if there is no card.
func (m *CardModes) Input(card *a2a.Card) []string {
	m.read(card)
	return m.input
}

// Output returns the media types that the agent of a card returns, nil if there is no card.
func (m *CardModes) Output(card *a2a.Card) []string {
	m.read(card)
	return m.output
}

func (m *CardModes) read(card *a2a.Card) {
	switch {
	case card == nil:
		*m = CardModes{}
	case card != m.card:
		*m = CardModes{card: card, input: card.InputModes(), output: card.OutputModes()}
	}
}
