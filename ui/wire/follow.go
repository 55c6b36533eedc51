package wire

// Following reports whether the newest record is selected, and each new one will be.
func (p *Pane) Following() bool { return p.rows.follow }

// Follow selects the newest record and follows new ones.
func (p *Pane) Follow() {
	p.sync()
	p.rows.resume()
	p.arrange()
}
