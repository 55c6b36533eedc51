package a2a

import (
	"bytes"
	"encoding/json"
	"slices"
)

// artifactFold is one artifact under assembly. Its parts are those of runs and then
// those of Parts.
type artifactFold struct {
	Artifact
	runs        []run
	loose       bool // the parts are compared repeatedly and must not be packed
	text, other int  // bytes of text and number of other parts held
	growth      growth
	known       *Artifact // what the newest deltas share
	preview     bool
	// behind is set while a resumed stream may repeat what is held here.
	behind bool
	resume resume
}

// chunk is one update of an artifact, from an event or out of a snapshot.
type chunk struct {
	artifact *Artifact
	key      string
	add      bool // its parts come after those held
	last     bool
	preview  bool
	whole    bool // it is part of a snapshot
}

// update applies a chunk (specification 1.0 §4.2.2): without append it creates or replaces the
// artifact; with append it adds parts, and creates an unknown artifact, so that a late
// subscriber loses nothing.
func (t *taskFold) update(f *Fold, taskID string, c chunk) {
	a := t.byKey[c.key]
	if a == nil && c.add && t.strays.into != nil {
		a = t.strays.into
		t.byKey[c.key] = a
	}
	if a != nil && a.preview || c.preview {
		// An agent framework sends text twice: word by word in an artifact marked as partial,
		// without append, and whole in another one. The partial one ends with an empty value,
		// after which it shows nothing.
		if emptyData(c.artifact.Parts) {
			t.endPreview(f, taskID, a)
			return
		}
		c.add = true
	}
	if a == nil {
		t.create(f, taskID, c)
		return
	}
	t.overlap(a, &c)
	t.strays.seen(c.whole)
	switch parts := c.artifact.Parts; {
	case len(parts) == 0: // it adds nothing and replaces nothing
	case c.add:
		a.append(f, taskID, parts)
	default:
		a.replace(f, taskID, parts, c.last)
	}
	if a.describe(c.artifact, c.add) {
		f.emit(Delta{Kind: DeltaArtifactMeta, TaskID: taskID, Key: a.Key, Artifact: a.told()})
	}
	a.seal(f, taskID, c.last)
}

// key returns the key of an artifact. Before 0.2 many agents give all artifacts the same index
// and distinguish them only by name.
func (t *taskFold) key(a *Artifact, add bool) string {
	held := t.byKey[a.Key]
	if held == nil || a.ID != "" || a.Name == "" || held.Name == "" || held.Name == a.Name {
		return a.Key
	}
	named := a.Key + "~" + a.Name
	if add && t.byKey[named] == nil {
		return a.Key // a chunk of an artifact that was given another name
	}
	return named
}

func (t *taskFold) create(f *Fold, taskID string, c chunk) {
	a := &artifactFold{Artifact: *c.artifact, preview: c.preview}
	a.Key, a.Sealed, a.Raw = c.key, false, nil
	a.Parts = slices.Clone(a.Parts)
	a.text, a.other = measure(a.Parts)
	a.growth.start(a.Parts)
	t.artifacts = append(t.artifacts, a)
	t.byKey[c.key] = a
	n := t.strays.add(a, &c)
	f.emit(Delta{Kind: DeltaArtifactNew, TaskID: taskID, Key: a.Key, Artifact: a.told(), Parts: a.Parts, Strays: n})
	a.seal(f, taskID, c.last)
}

func (t *taskFold) endPreview(f *Fold, taskID string, a *artifactFold) {
	if a == nil || len(a.Parts) == 0 && len(a.runs) == 0 {
		return
	}
	before := a.artifact()
	a.set(nil)
	a.Sealed = true
	f.emit(Delta{Kind: DeltaArtifactReplace, TaskID: taskID, Key: a.Key, Artifact: a.told(), Previous: &before})
}

// take applies the artifacts of a snapshot. Servers that do not assemble chunks list an
// artifact once for each chunk.
func (t *taskFold) take(f *Fold, taskID string, artifacts []Artifact) {
	merged := make([]Artifact, 0, len(artifacts))
	at := make(map[string]int, len(artifacts))
	for _, a := range artifacts {
		a.Key = t.key(&a, false)
		if held := t.byKey[a.Key]; held != nil {
			a.Key = held.Key // it may have been merged into another
		}
		i, known := at[a.Key]
		if known && a.ID == "" && a.Name != merged[i].Name && a.Name != "" && merged[i].Name != "" {
			a.Key += "~" + a.Name
			i, known = at[a.Key]
		}
		if !known {
			at[a.Key] = len(merged)
			a.Parts = slices.Clip(a.Parts)
			merged = append(merged, a)
			continue
		}
		merged[i].Parts = append(merged[i].Parts, a.Parts...)
		merged[i].Sealed = merged[i].Sealed || a.Sealed
	}
	for i := range merged {
		a := &merged[i]
		held, preview := t.byKey[a.Key], isPreview(a, nil)
		if preview && held != nil && !emptyData(a.Parts) {
			continue // the chunks are more exact
		}
		sealed := a.Sealed || held != nil && held.Sealed // a snapshot does not reopen it
		t.update(f, taskID, chunk{artifact: a, key: a.Key, last: sealed, preview: preview, whole: true})
	}
}

// told returns the artifact as a delta has it after a change: as it is now, without its parts.
func (a *artifactFold) told() *Artifact {
	a.known = nil
	now := a.Artifact
	now.Parts = nil
	return &now
}

// same is told for an artifact that only grew: consecutive chunks share what it returns.
func (a *artifactFold) same() *Artifact {
	if a.known == nil {
		a.known = a.told()
	}
	return a.known
}

// append adds parts to those held.
func (a *artifactFold) append(f *Fold, taskID string, parts []Part) {
	d := Delta{Kind: DeltaArtifactAppend, TaskID: taskID, Key: a.Key, Artifact: a.same(), Parts: parts}
	switch news, snapshot := a.growth.next(parts); {
	case !snapshot:
		text, other := measure(parts)
		a.Parts = append(a.Parts, parts...)
		a.text, a.other = a.text+text, a.other+other
		a.pack()
	case news == nil: // only now is it certain that chunks repeat what went before
		before := a.artifact()
		a.set(parts)
		d.Kind, d.Parts, d.Previous = DeltaArtifactReplace, a.Parts, &before
	default:
		a.set(parts)
		d.Parts = news
	}
	if len(d.Parts) > 0 {
		f.emit(d)
	}
}

// replace replaces the parts. If the new ones only continue the old ones, as from agents that
// send everything so far in each event, the delta is an append of the difference.
func (a *artifactFold) replace(f *Fold, taskID string, parts []Part, last bool) {
	text, other := measure(parts)
	rest, longer := []Part(nil), false
	a.unpack() // all of it is replaced
	if text >= a.text && other >= a.other {
		rest, longer = continues(a.Parts, parts)
	}
	before := a.Artifact
	a.set(parts)
	a.growth.start(parts)
	a.Sealed = last && a.Sealed
	d := Delta{Kind: DeltaArtifactReplace, TaskID: taskID, Key: a.Key, Artifact: a.told()}
	switch {
	case !longer:
		d.Parts, d.Previous = a.Parts, &before
	case len(rest) == 0:
		return
	default:
		d.Kind, d.Parts = DeltaArtifactAppend, rest
	}
	f.emit(d)
}

// set makes parts the whole content. How far a resumed stream had repeated the earlier content says nothing any
// more.
func (a *artifactFold) set(parts []Part) {
	a.Parts, a.runs, a.resume = slices.Clone(parts), nil, resume{}
	a.text, a.other = measure(parts)
}

func (a *artifactFold) seal(f *Fold, taskID string, last bool) {
	if last && !a.Sealed {
		a.Sealed = true
		f.emit(Delta{Kind: DeltaArtifactSeal, TaskID: taskID, Key: a.Key, Artifact: a.told()})
	}
}

// describe copies name, description, extensions and metadata from a chunk that has them, and
// reports whether that changed anything.
func (a *artifactFold) describe(c *Artifact, add bool) (changed bool) {
	for _, pair := range [...]struct{ held, now *string }{
		{&a.Name, &c.Name}, {&a.Description, &c.Description}, {&a.Index, &c.Index},
	} {
		if *pair.now != "" && *pair.now != *pair.held {
			*pair.held, changed = *pair.now, true
		}
	}
	for _, uri := range c.Extensions {
		if !slices.Contains(a.Extensions, uri) {
			a.Extensions, changed = append(slices.Clip(a.Extensions), uri), true
		}
	}
	if c.Metadata == nil || bytes.Equal(c.Metadata, a.Metadata) {
		return changed
	}
	if add && a.Metadata != nil {
		a.Metadata = mergeObjects(a.Metadata, c.Metadata)
	} else {
		a.Metadata = c.Metadata
	}
	return true
}

// mergeObjects returns the members of both objects, those of b where both have one.
func mergeObjects(a, b json.RawMessage) json.RawMessage {
	var all map[string]json.RawMessage
	if json.Unmarshal(a, &all) != nil || json.Unmarshal(b, &all) != nil {
		return b
	}
	merged, err := marshal(all)
	if err != nil {
		return b
	}
	return merged
}

// measure returns the bytes of text and the number of other parts.
func measure(parts []Part) (text, other int) {
	for i := range parts {
		if parts[i].Kind == PartText {
			text += len(parts[i].Text)
		} else {
			other++
		}
	}
	return text, other
}

// previewMember marks an artifact as the growing form of text that comes again,
// whole, in another artifact.
const previewMember = "adk_partial"

func isPreview(a *Artifact, ev *Event) bool {
	return hasPreviewMark(a.Metadata) || ev != nil && hasPreviewMark(ev.Metadata)
}

func hasPreviewMark(metadata json.RawMessage) bool {
	if !bytes.Contains(metadata, []byte(previewMember)) {
		return false
	}
	var m struct {
		Partial bool `json:"adk_partial"`
	}
	return json.Unmarshal(metadata, &m) == nil && m.Partial
}

// emptyData reports whether parts are a single data part that holds {}.
func emptyData(parts []Part) bool {
	return len(parts) == 1 && parts[0].Kind == PartData && isObject(parts[0].Data) && object(parts[0].Data) == nil
}
