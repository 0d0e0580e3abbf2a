//go:build !race

package all

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"palimpsest/backend/corpus"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestReadInPieces: sessions whose files grow are read as if they had been read whole, also by one program after the other. With PALIMPSEST_SAMPLES they are real ones, too.
func TestReadInPieces(t *testing.T) {
	made, err := corpus.Make(t.TempDir(), corpus.Options{Sessions: 25, Bytes: 1 << 20, Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	homes := []string{made.Home}
	if samples := os.Getenv("PALIMPSEST_SAMPLES"); samples != "" {
		more, _ := filepath.Glob(filepath.Join(samples, "*"))
		homes = append(homes, more...)
	} else {
		t.Log("PALIMPSEST_SAMPLES is not set: only what the generator writes is read")
	}
	random := rand.New(rand.NewPCG(1, 2))
	went := map[string]int{}
	for _, home := range homes {
		env := sourcetest.Env(t, home)
		for _, source := range Sources(nil) {
			follower, is := source.(sources.Follower)
			if !is {
				continue
			}
			err := source.Find(context.Background(), env, func(f sources.Found) error {
				f, ok := sourcetest.Grown(t, f)
				if !ok {
					return nil
				}
				cuts := make([]int, 12)
				for i := range cuts {
					cuts[i] = random.IntN(int(f.Bytes) + 1)
				}
				slices.Sort(cuts)
				cuts = append(cuts, int(f.Bytes))
				before := sourcetest.Pieces(t, follower, env, f, cuts)
				if kept := sourcetest.KeptPieces(t, follower, env, f, cuts); kept != before {
					t.Errorf("%s: %d readings of other programs went on, not %d", f.ID, kept, before)
				}
				went[source.Agent()] += before
				return nil
			})
			if err != nil {
				t.Error(source.Agent(), err)
			}
		}
	}
	for _, agent := range []string{"claudecode", "codex", "pi"} {
		if went[agent] == 0 {
			t.Errorf("no reading of %s went on: %v", agent, went)
		}
	}
	t.Log(went)
}
