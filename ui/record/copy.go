package record

// enter follows the row under the cursor: to a finding's place or to a record.
func (v *View) enter() Intent {
	switch at := v.sheet.entry(); {
	case at.finding != nil:
		return v.toFinding(at.finding)
	case at.record != 0:
		return Select{at.record}
	default:
		return nil
	}
}

// place copies the JSON pointer of the cursor.
func (v *View) place() Intent {
	return Copy{Text: v.tree.Pointer(), What: "the JSON pointer"}
}

// copyIntent returns what copying takes: in a tree the value under the cursor, on a revealed
// secret that secret, else everything that is shown.
func (v *View) copyIntent(reading bool) Copy {
	what := "record " + v.number()
	switch how := v.shows(); {
	case how == showTree && reading:
		v.load()
		text, pointer := v.tree.Selection()
		if pointer != "" {
			what = pointer + " in " + what
		}
		return Copy{Text: text, What: what}
	case how == showBytes || len(v.it.Record.Raw) > 0 && (!reading || how != showSheet):
		return Copy{Text: string(v.bytes()), What: what}
	default:
		v.sheet.fill(v)
		if s := v.sheet.entry().secret; reading && s.in != nowhere && s == v.shownSecret {
			value, _ := s.open(&v.log.At(s.record).Record)
			return Copy{Text: value, What: "the secret in " + what}
		}
		return Copy{Text: v.sheet.plainText(v), What: what}
	}
}
