package a2a

// DetectAs is [Detect] for a person who has chosen the dialect: of the card's
// interfaces the one that declares it is used, and if none does, the one that
// Detect finds, with a warning. The zero dialect leaves the choice to Detect.
func DetectAs(card *Card, chosen DialectName) Profile {
	p := Detect(card)
	if chosen == Unknown || p.Dialect == chosen && p.Problem == "" {
		return p
	}
	if q, ok := declared(card, chosen); ok {
		p = q
	} else {
		if p.Endpoint == "" {
			return p
		}
		p.Warnings = append(p.Warnings, "The card does not offer A2A "+chosen.Number()+"; it is spoken because it was asked for")
	}
	p.Problem = ""
	p.Dialect = chosen
	p.Evidence = append(p.Evidence, Evidence{Field: "dialect", Value: string(chosen), Reason: "chosen by the person", Confidence: Pinned})
	return p
}

// declared detects among the interfaces that declare a dialect.
func declared(card *Card, d DialectName) (Profile, bool) {
	only := *card
	only.Interfaces = nil
	for _, i := range card.Interfaces {
		if name, ok := dialectOfVersion(i.Version); ok && name == d {
			only.Interfaces = append(only.Interfaces, i)
		}
	}
	if len(only.Interfaces) == 0 {
		return Profile{}, false
	}
	p := Detect(&only)
	return p, p.Problem == ""
}

// ParseVersion returns the dialect of a protocol version as people write it:
// "1.0", "v0.3", "0.2.6". It is false for versions that nobody released or that
// are not spoken here.
func ParseVersion(version string) (DialectName, bool) {
	d, ok := dialectOfVersion(version)
	if d == V10 {
		switch version {
		case "1", "v1", "1.0", "v1.0", "1.0.0", "v1.0.0":
		default:
			return Unknown, false
		}
	}
	return d, ok
}
