//go:build unix

package all

import (
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestDenied: a folder of sessions that this user may not look into is told of; that there is none is not.
func TestDenied(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("this user may look into any folder")
	}
	for _, source := range Sources(nil) {
		one, known := sessions[source.Agent()]
		if !known {
			continue
		}
		t.Run(source.Agent(), func(t *testing.T) {
			env := sourcetest.Env(t, t.TempDir())
			var denied []error
			env.Denied = func(err error) { denied = append(denied, err) }
			if found := sourcetest.Find(t, source, env); len(found)+len(denied) > 0 {
				t.Fatal(found, denied)
			}
			var folder string
			for file, text := range one.files([]string{"one"}, "no") {
				sourcetest.Write(t, env.Home, file, text)
				folder = filepath.Dir(filepath.Join(env.Home, filepath.FromSlash(file)))
			}
			if source.Agent() == "opencode" {
				folder = filepath.Join(env.Home, ".local/share/opencode")
			}
			if err := os.Chmod(folder, 0); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(folder, 0o700) }) //nolint:gosec // a folder
			if found := sourcetest.Find(t, source, env); len(found) > 0 || len(denied) == 0 {
				t.Error(found, denied)
			}
		})
	}
}
