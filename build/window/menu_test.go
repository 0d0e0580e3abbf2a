//go:build window

package window

import "testing"

// TestMenu chooses items of the window's own menu bar, as a screen reader does, and the page does what they say.
func TestMenu(t *testing.T) {
	d := startDesktop(t)
	p := d.start(t)
	p.await(t, "", sessionName)

	choose := func(item, reaction string) {
		t.Helper()
		if err := p.reader.press(p.await(t, "menu item", item)); err != nil {
			t.Fatalf("choosing %q: %v\n%v", item, err, p.look(t))
		}
		p.await(t, "", reaction)
	}
	choose("Compact…", "“Compact…” is not possible here")
	choose("Next session", answer)
	choose("Library", "Show the library")
	choose("Library", "Hide the library")
	choose("Larger", answer)
	keep(t, "menu.png", d.picture(t))
	choose("Find a session or command…", "Recent sessions")
	choose("Keyboard", "Move the cut")
}
