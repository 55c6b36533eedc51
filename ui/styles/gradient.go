package styles

import "parley/themes"

// Gradient returns n bold paints, from the accent to the colour of agents in steps that look equal. They
// are computed at each call. With 256 colours or fewer, all have the accent.
func (st *Styles) Gradient(n int) []Paint {
	out := make([]Paint, max(0, n))
	for i := range out {
		out[i] = st.Accent.Bold()
		if t := st.Theme; t.Depth == themes.Full && !t.Colorless() && n > 1 {
			out[i] = Paint{On: sgr("1", fg(themes.Between(t.Accent, t.Agent, float64(i)/float64(n-1))))}
		}
	}
	return out
}
