package a2a

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A census is who is on a mesh: the agents of a mesh announce themselves again and again.
type census struct{ names []string }

// see notes an agent that announced itself, or one that no longer does.
func (c *census) see(s *Sighting) {
	switch at, known := slices.BinarySearch(c.names, s.Agent); {
	case s.Agent == "":
	case (s.Kind == SawCard || s.Kind == SawAgain) && !known:
		c.names = slices.Insert(c.names, at, s.Agent)
	case s.Kind == SawGone && known:
		c.names = slices.Delete(c.names, at, at+1)
	}
}

// maxNamed is how many agents of a mesh a sentence names.
const maxNamed = 20

// sentence says who announced itself.
func (c *census) sentence() string {
	n := len(c.names)
	words := make([]string, min(n, maxNamed))
	for i := range words {
		words[i] = "“" + clip(c.names[i]) + "”"
	}
	list := strings.Join(words, ", ")
	if n > maxNamed {
		list += fmt.Sprintf(" and %d others", n-maxNamed)
	}
	if n == 1 {
		return "one agent announced itself: " + list
	}
	return fmt.Sprintf("%d agents announced themselves: %s", n, list)
}

// census ends a search for an agent that was not named: it lists those that announce themselves.
func (d *discoverer) census(ctx context.Context, w *wire, directory Directory, mesh MeshAddress) {
	wait := cmp.Or(d.options.AnswerTimeout, cardTimeout)
	if own := d.options.MeshListen; own > 0 {
		wait = min(wait, own)
	}
	var c census
	err := listen(ctx, directory, mesh, wait, func(s *Sighting) bool {
		c.see(s)
		return false
	})
	switch {
	case ctx.Err() != nil:
	case err != nil:
		end := meshFailure(ctx, w, mesh, err)
		d.missing(w, mesh, &end)
	case len(c.names) == 0:
		d.nobody(w, mesh, wait, "")
	default:
		d.result.Announced = c.names
		end := End{Reason: Refused, Class: ClassMesh, Sentence: fmt.Sprintf(
			"%s names no agent of the mesh, and Parley does not choose one: add # and a name. Within %s, %s. Others may announce themselves later.",
			mesh.String(), wait, c.sentence())}
		d.unheard(w, mesh, &end)
	}
}

// nobody ends a search on a mesh where no agent announced itself.
func (d *discoverer) nobody(w *wire, mesh MeshAddress, wait time.Duration, more string) {
	end := End{Reason: TimedOut, Class: ClassNoCard, Sentence: fmt.Sprintf(
		"No agent of the mesh %s announced itself on %s within %s: check the namespace, and whether agents run.%s",
		mesh.Namespace, mesh.Broker, wait, more)}
	d.unheard(w, mesh, &end)
}

// meshCatalog says who is on a mesh, which has no catalog.
func (d *discoverer) meshCatalog(ctx context.Context, mesh MeshAddress) Catalog {
	o := *d.options
	o.WholeMesh, o.Pins = false, Pins{}
	d.options = &o
	d.mesh(ctx, mesh)
	return Catalog{
		Origin: d.result.Origin, Attempts: d.result.Attempts, Class: cmp.Or(d.result.Class, ClassGivenUp),
		Sentence: cmp.Or(d.result.Sentence, "The search for agents of the mesh was stopped."),
	}
}
