//go:build window

package window

import (
	"fmt"
	"testing"
)

// TestMenu chooses items of the window's own menu bar, as a screen reader does, and the page does what they say; what can't be
// done is greyed out.
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
	usable := func(item string, want bool) {
		t.Helper()
		until(t, fmt.Sprintf("%q can be used: %v", item, want), func() bool {
			return p.reader.usable(p.await(t, "menu item", item)) == want
		})
	}
	usable("Next session", true)
	usable("Compact…", false)
	choose("Next session", answer)
	usable("Compact…", true)
	usable("Restore", false)
	choose("Library", "Show the library")
	choose("Library", "Hide the library")
	choose("Larger", answer)
	keep(t, "menu.png", d.picture(t))
	choose("Find a session or command…", "Recent sessions")
	choose("Keyboard", "Move the cut")
}
