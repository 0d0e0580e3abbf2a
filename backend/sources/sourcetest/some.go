package sourcetest

import (
	"os"
	"slices"
	"testing"

	"palimpsest/backend/sources"
)

// SurvivesSome is [Survives] for large files, as those of databases are: at so many places, spread over each file.
func SurvivesSome(t *testing.T, source sources.Source, home string, times int) {
	t.Helper()
	whole := files(t, home)
	env := Env(t, t.TempDir())
	for harmed := range whole {
		for i := range times {
			if err := os.RemoveAll(env.Home); err != nil {
				t.Fatal(err)
			}
			for name, data := range whole {
				if at := len(data) * i / times; name == harmed && i%4 == 3 {
					data = data[:at]
				} else if name == harmed && len(data) > 0 {
					data = slices.Clone(data)
					data[at] ^= 0xFF
				}
				Write(t, env.Home, name, string(data))
			}
			for _, f := range Find(t, source, env) {
				Read(t, source, env, f).Context(t)
			}
		}
	}
}
