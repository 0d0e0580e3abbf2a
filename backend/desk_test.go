package backend

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNewsOfTheDesk: who laid something down is told with the news of it; what another process lays down is news too.
func TestNewsOfTheDesk(t *testing.T) {
	home := t.TempDir()
	b, other := newsBackend(t, home), newsBackend(t, home)
	events, cancel := b.Subscribe()
	defer cancel()
	_, err := b.LayOnDesk("view", json.RawMessage(`{"theme":"dark"}`), "window 1")
	newsMust(t, err)
	told := newsOf(t, events, EventDesk, "")
	if diff := cmp.Diff(deskNews{"view", "window 1"}, told[len(told)-1].Data); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	_, err = other.LayOnDesk("unsent", json.RawMessage(`"hm"`), "window 2")
	newsMust(t, err)
	told = newsOf(t, events, EventDesk, "")
	if diff := cmp.Diff(deskNews{"unsent", ""}, told[len(told)-1].Data); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestPurgeClearsTheDesk: the trash keeps what was not sent, so that a session comes back with it.
func TestPurgeClearsTheDesk(t *testing.T) {
	b, id := open(t, story())
	key := "unsent." + id
	_, err := b.LayOnDesk(key, json.RawMessage(`"hm"`), "")
	newsMust(t, err)
	newsMust(t, b.Trash(t.Context(), id))
	keys, err := b.DeskKeys()
	newsMust(t, err)
	if diff := cmp.Diff([]string{key}, keys); diff != "" {
		t.Errorf("in the trash (-want +got)\n%s", diff)
	}
	newsMust(t, b.Purge(id))
	keys, err = b.DeskKeys()
	newsMust(t, err)
	if len(keys) != 0 {
		t.Errorf("purged: %v", keys)
	}
}
