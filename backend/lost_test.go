package backend

import (
	"os"
	"slices"
	"testing"

	"palimpsest/backend/session"
)

// damages are what each door says of the damage in a session.
func damages(t *testing.T, b *Backend, id string) map[string][]session.Damage {
	t.Helper()
	kinds := map[string][]session.Damage{}
	newsMust(t, b.Show(t.Context(), id, ShowOptions{}, func(line *Shown) error {
		kinds["show"] = append(kinds["show"], line.Damage...)
		return nil
	}))
	page, err := b.Page(id, PageOptions{})
	newsMust(t, err)
	outline, err := b.Outline(id)
	newsMust(t, err)
	for door, all := range map[string][]PageDamage{"page": page.Damage, "outline": outline.Damage} {
		for _, d := range all {
			kinds[door] = append(kinds[door], d.Damage)
		}
	}
	seen, err := b.Context(id, ContextOptions{})
	newsMust(t, err)
	kinds["context"] = seen.Damage
	checked, err := b.Check(id)
	newsMust(t, err)
	kinds["check"] = checked.Damage
	return kinds
}

// TestLostIsCorrupt: a line of another agent's that can't be read is a record that is lost, and no crash's: every door says so, of a copy,
// too, though no number is missing around it, since the numbers are ours. What a crash left in the copy since is torn.
func TestLostIsCorrupt(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession()+"{\"type\": \n"+piMore)
	b := abroad(t, home)
	made, err := b.Import(t.Context(), "pi:s1")
	newsMust(t, err)
	log, err := os.OpenFile(b.store.LogPath(made.ID), os.O_APPEND|os.O_WRONLY, 0)
	newsMust(t, err)
	_, err = log.WriteString(`{"recordType":`)
	newsMust(t, err)
	newsMust(t, log.Close())
	for id, want := range map[string][]string{"pi:s1": {session.DamageCorrupt}, made.ID: {session.DamageCorrupt, session.DamageTorn}} {
		for door, all := range damages(t, b, id) {
			var kinds []string
			for _, d := range all {
				kinds = append(kinds, d.Kind)
			}
			if slices.Sort(kinds); !slices.Equal(kinds, want) {
				t.Errorf("%s: %s: %q", id, door, kinds)
			}
		}
	}
}
