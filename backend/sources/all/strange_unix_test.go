//go:build unix

package all

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// strangers are what a file may be that has the name of a session, and what is said of it; nothing is said of what is no file.
var strangers = map[string]struct {
	make func(path string) error
	says string
}{
	"nothing":      {text(""), "The file is empty"},
	"zeros":        {text(strings.Repeat("\x00", 70_000)), "nothing but zeros"},
	"blank lines":  {text("\n \r\n\n"), "nothing but blank lines"},
	"gzip":         {text("\x1f\x8b\x08\x00" + strings.Repeat("\x9c\x01", 500)), "gzip"},
	"UTF-16":       {text("\xff\xfe{\x00\"\x00a\x00\"\x00:\x001\x00}\x00\n\x00"), "UTF-16"},
	"UTF-16 bare":  {text("\x00{\x00\"\x00a\x00\"\x00:\x001\x00}\x00\n"), "UTF-16"},
	"rubbish":      {text(strings.Repeat("\xde\xad\xbe\xef\n", 30_000)), "no text of JSON"},
	"long rubbish": {text(strings.Repeat("\xde\xad\xbe\xef", 50_000)), "no text of JSON"},
	"a directory":  {func(path string) error { return os.Mkdir(path, 0o700) }, ""},
	"a link":       {func(path string) error { return os.Symlink("/nowhere/at/all", path) }, ""},
	"a pipe":       {func(path string) error { return syscall.Mkfifo(path, 0o600) }, ""},
	"a secret": {func(path string) error {
		return os.WriteFile(path, []byte("{}\n"), 0)
	}, "can't be read"},
}

func text(what string) func(path string) error {
	return func(path string) error { return os.WriteFile(path, []byte(what), 0o600) }
}

// TestStrangers: a file with the name of a session that is something else is listed with what it is, and is no session when it is opened; a
// pipe is not waited for. The session beside it is read as ever.
func TestStrangers(t *testing.T) {
	for _, source := range Sources(nil) {
		one, known := sessions[source.Agent()]
		if !known {
			continue
		}
		if one.main == "" { // the session of opencode beside which another one is to stand
			one.main = opened + "session/p/ses_1.json"
		}
		for name, stranger := range strangers {
			t.Run(source.Agent()+"/"+name, func(t *testing.T) {
				if name == "a secret" && os.Getuid() == 0 {
					t.Skip("nothing is a secret to this user")
				}
				env := sourcetest.Env(t, t.TempDir())
				for file, text := range one.files([]string{"one"}, "no") {
					sourcetest.Write(t, env.Home, file, text)
				}
				path := filepath.Join(env.Home, filepath.FromSlash(another(one.main)))
				if err := stranger.make(path); err != nil {
					t.Fatal(err)
				}
				var told []sources.Found
				for _, f := range sourcetest.Find(t, source, env) {
					if f.Files[0] == path {
						told = append(told, f)
					} else if r := sourcetest.Read(t, source, env, f); r.Err != nil || len(r.Records) < 3 || f.Problem != "" {
						t.Errorf("beside it: %v, %+v", r.Err, f)
					}
				}
				if source.Agent() == "opencode" { // its files are no lines, and it follows links that lead no further than its own folder
					switch {
					case name == "a link":
						stranger.says = "can't be read"
					case stranger.says != "" && name != "a secret":
						stranger.says = "no JSON"
					}
				}
				if source.Agent() == "claudecode" && name == "nothing" { // its short runs leave such files behind
					stranger.says = ""
				}
				if stranger.says == "" {
					if len(told) > 0 {
						t.Errorf("%+v", told)
					}
					return
				}
				if len(told) != 1 || !strings.Contains(told[0].Problem, stranger.says) {
					t.Errorf("%+v", told)
				}
			})
		}
	}
}

// another is a name as that of a session, of another one.
func another(name string) string {
	return strings.NewReplacer(threadID, "01a1fbb2-0000-7cd2-9976-548effd87cf7", claudeID, "00000000-19f7-458d-8a6f-db618bf7386b").Replace(
		strings.NewReplacer("s1.json", "s9.json", "aa.json", "bb.json", "user_1.json", "user_9.json", "ses_1.json", "ses_9.json").Replace(filepath.ToSlash(name)))
}
