//go:build unix

package all

import (
	"os"
	"path/filepath"
	"strings"
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
			var folders []string
			for file, text := range one.files([]string{"one"}, "no") {
				sourcetest.Write(t, env.Home, file, text)
				folders = []string{filepath.Dir(filepath.Join(env.Home, filepath.FromSlash(file)))}
			}
			if source.Agent() == "opencode" {
				folders = nil
				for _, name := range []string{"", "storage/session", "storage/session/p"} {
					folders = append(folders, filepath.Join(env.Home, ".local/share/opencode", name))
				}
			}
			for _, folder := range folders {
				if err := os.Chmod(folder, 0); err != nil {
					t.Fatal(err)
				}
				denied = nil
				if found := sourcetest.Find(t, source, env); len(found) > 0 || len(denied) == 0 || !strings.Contains(denied[0].Error(), folder) {
					t.Error(folder, found, denied)
				}
				if err := os.Chmod(folder, 0o700); err != nil { //nolint:gosec // a folder
					t.Fatal(err)
				}
			}
		})
	}
}
