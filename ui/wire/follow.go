package wire

// Follow goes to the newest record and follows what comes.
func (p *Pane) Follow() {
	p.sync()
	p.rows.resume()
	p.arrange()
}
