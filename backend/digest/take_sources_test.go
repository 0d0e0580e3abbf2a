//go:build !race

package digest

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"palimpsest/backend/corpus"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/all"
)

// TestSourcesAreTaken: of the sessions of every agent, the digest that is made while they are read is that of the log that is written.
// With PALIMPSEST_SAMPLES they are real ones, too.
func TestSourcesAreTaken(t *testing.T) {
	made, err := corpus.Make(t.TempDir(), corpus.Options{Sessions: 40, Bytes: 2 << 20, Large: 2, LargeBytes: 5 << 20, Seed: 7})
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
	list, release := all.Open()
	defer func() { _ = release() }()
	sessions, large := 0, 0
	for _, home := range homes {
		env := sources.Env{Home: home, Getenv: func(string) string { return "" }, GOOS: runtime.GOOS, Temp: t.TempDir()}
		for _, source := range list {
			err := source.Find(context.Background(), env, func(f sources.Found) error {
				f.Agent = source.Agent()
				sessions++
				if compareTaken(t, source, env, f) > 4<<20 {
					large++
				}
				return nil
			})
			if err != nil {
				t.Error(source.Agent(), err)
			}
		}
	}
	if sessions < 30 || large == 0 {
		t.Errorf("only %d sessions, %d of them large", sessions, large)
	}
}
