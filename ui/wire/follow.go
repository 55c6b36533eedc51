package wire

// Follow selects the newest record and follows new ones.
func (p *Pane) Follow() {
	p.sync()
	p.rows.resume()
	p.arrange()
}
