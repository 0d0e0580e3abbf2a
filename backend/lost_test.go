package backend

import (
	"testing"

	"palimpsest/backend/session"
)

// TestLostIsCorrupt: a line of another agent's that can't be read is a record that is lost, and no crash's: every door says so, though no
// number is missing around it, since the numbers are ours.
func TestLostIsCorrupt(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession()+"{\"type\": \n"+piMore)
	b := abroad(t, home)
	kinds := map[string][]session.Damage{}
	newsMust(t, b.Show(t.Context(), "pi:s1", ShowOptions{}, func(line *Shown) error {
		kinds["show"] = append(kinds["show"], line.Damage...)
		return nil
	}))
	page, err := b.Page("pi:s1", PageOptions{})
	newsMust(t, err)
	outline, err := b.Outline("pi:s1")
	newsMust(t, err)
	for _, d := range append(page.Damage, outline.Damage...) {
		kinds["page and outline"] = append(kinds["page and outline"], d.Damage)
	}
	seen, err := b.Context("pi:s1", ContextOptions{})
	newsMust(t, err)
	kinds["context"] = seen.Damage
	for door, want := range map[string]int{"show": 1, "page and outline": 2, "context": 1} {
		if len(kinds[door]) != want {
			t.Errorf("%s: %+v", door, kinds[door])
		}
		for _, d := range kinds[door] {
			if d.Kind != session.DamageCorrupt {
				t.Errorf("%s: %+v", door, d)
			}
		}
	}
}
