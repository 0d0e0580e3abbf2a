package opencode

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestUnmovedMessages: of a session that opencode moved into its database without its messages, those that are still in files are shown,
// as what a file says; what the database has of it counts, and its own messages stand alone.
func TestUnmovedMessages(t *testing.T) {
	bare := talk
	bare.session = strings.Replace(talk.session, "Count the rows", "From the database", 1)
	bare.messages = nil
	inDatabase := bare
	inDatabase.messages = [][]string{asked(1, "only this")}
	const sessions = ".local/share/opencode/storage/session"
	for name, c := range map[string]struct {
		layout func(conversation, map[string]string)
		row    conversation
		gone   string
		want   string
	}{
		"in files":                       {conversation.newer, bare, "", talkStory},
		"in files of the first versions": {conversation.older, bare, "", talkStory},
		"without the session's own file": {conversation.newer, bare, sessions, talkStory},
		"in the database, too":           {conversation.newer, inDatabase, "", "1 message user: only this\n"},
		"nowhere":                        {conversation.newer, bare, ".local/share/opencode/storage", ""},
	} {
		t.Run(name, func(t *testing.T) {
			home := talk.home(t, c.layout)
			if c.gone != "" {
				if err := os.RemoveAll(filepath.Join(home, c.gone)); err != nil {
					t.Fatal(err)
				}
			}
			database(t, home, "opencode.db", c.row)
			env := sourcetest.Env(t, home)
			found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
			first, unmoved := "Count the rows", strings.HasPrefix(c.want, "1 note")
			if len(c.row.messages) > 0 {
				first = "only this"
			} else if !unmoved {
				first = ""
			}
			if found.Title != "From the database" || found.FirstMessage != first || (found.Model == "m") != unmoved || filepath.Ext(found.Files[0]) != ".db" {
				t.Errorf("%+v", found)
			}
			r := sourcetest.Read(t, Source{}, env, found)
			story, told := r.Story(), bytes.Contains(r.Log, []byte("opencode.from_files"))
			if unmoved { // the note stands first
				_, story, _ = strings.Cut(renumbered(story), "\n")
			}
			if r.Err != nil || r.Damaged > 0 || story != c.want || told != unmoved {
				t.Errorf("%v, %d damaged\n%s", r.Err, r.Damaged, r.Story())
			}
			sourcetest.Excerpts(t, Source{}, env)
			if said, err := sources.Said(t.Context(), Source{}, env, found); err != nil || (len(said) > 0) != (c.want != "") {
				t.Errorf("%q %v", said, err)
			}
		})
	}
}

// renumbered is a story with one record less before each.
func renumbered(story string) string {
	var out strings.Builder
	for line := range strings.Lines(story) {
		out.WriteByte(line[0] - 1)
		out.WriteString(line[1:])
	}
	return out.String()
}
