package crabtalk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestLostBytes: what can't be read of a store is told of in its sessions; a record that is cut off is being written.
func TestLostBytes(t *testing.T) {
	whole := storeOf(nil, [][2]string{{"session/a/msg/000000000000", talk[1]}, {"session/a/msg/000000000001", talk[1]}})
	for end, want := range map[string]int{"": 0, put(0, "session/a/msg/000000000002", talk[1])[:40]: 0, "\x09 no record": 1} {
		_, r := read(t, map[string]string{".crabtalk/store.crmem": whole + end})
		if r.Err != nil || len(r.Records) != 2 || r.Damaged != want || strings.Contains(string(r.Log), "bytes of store.crmem can't be read") != (want == 1) {
			t.Errorf("%q: %v, %s", end, r.Err, r.Log)
		}
	}
}

// TestDamagedList: without the list of keys the records before it and behind it say what there is.
func TestDamagedList(t *testing.T) {
	before := [][2]string{{"session/a/msg/000000000000", talk[1]}}
	text := []byte(storeOf(before, [][2]string{{"session/a/msg/000000000001", talk[1]}}))
	at := headerLength + len(put(0, before[0][0], before[0][1]))
	text[at] = 0xFF
	_, r := read(t, map[string]string{".crabtalk/store.crmem": string(text)})
	if r.Err != nil || len(r.Records) != 2 || r.Damaged > 0 {
		t.Errorf("%v, %s", r.Err, r.Log)
	}
}

// TestUnreadableStep: a step that can't be read is told of, and one that is no file is none.
func TestUnreadableStep(t *testing.T) {
	home := sourcetest.Home(t, steps(map[string]string{}, "crab_user_1"))
	folder := filepath.Join(home, dir, "crab_user_1")
	if err := os.Symlink("step-900001", filepath.Join(folder, "step-900001")); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "step-900002"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := sourcetest.Env(t, home)
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	if r.Err != nil || r.Damaged != 1 || !strings.Contains(string(r.Log), "[left out: step-900001 can't be read: ") {
		t.Errorf("%v, %s", r.Err, r.Log)
	}
}
