package backend

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// claim is a line of a file of testdata/agents: a thing, how it shows, and what has to be changed in the files for it not to show any
// more. One without the rest says that the agent's files don't hold the thing.
type claim struct{ what, shows, from, to string }

// claimsOf are the claims of an agent and the files that bear them out.
func claimsOf(t *testing.T, agent string) (claims []claim, files []txtar.File) {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "agents", agent+".txtar"))
	newsMust(t, err)
	for line := range strings.Lines(string(archive.Comment)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		switch {
		case len(cells) == 2 && cells[1] == "-":
			claims = append(claims, claim{what: cells[0]})
		case len(cells) == 4:
			claims = append(claims, claim{cells[0], cells[1], cells[2], cells[3]})
		default:
			t.Fatalf("%s: %q is no claim", agent, line)
		}
	}
	return claims, archive.Files
}

// machineOf is a backend on a machine that has these files, with something changed in them and in their names.
func machineOf(t *testing.T, files []txtar.File, change claim) *Backend {
	t.Helper()
	home := t.TempDir()
	for _, file := range files {
		text, name := string(file.Data), file.Name
		if change.from != "" {
			text, name = strings.ReplaceAll(text, change.from, change.to), strings.ReplaceAll(name, change.from, change.to)
		}
		text = strings.ReplaceAll(text, "PNG", png)
		if filepath.Ext(name) != ".sqlite" {
			sourcetest.Write(t, home, name, text)
			continue
		}
		newsMust(t, os.MkdirAll(filepath.Join(home, filepath.Dir(name)), 0o700))
		db, err := sql.Open("sqlite", filepath.Join(home, name))
		newsMust(t, err)
		_, err = db.Exec(text)
		newsMust(t, err)
		newsMust(t, db.Close())
	}
	return abroad(t, home)
}

// TestCapabilitiesAreTrue: what is said of an agent's sessions is what comes out of files of its own, and comes from the place there
// that it is told of; what its files are said not to hold comes out of none of them.
func TestCapabilitiesAreTrue(t *testing.T) {
	agents, err := abroad(t, t.TempDir()).Agents(t.Context())
	newsMust(t, err)
	for _, agent := range agents {
		t.Run(agent.Name, func(t *testing.T) {
			t.Parallel()
			claims, files := claimsOf(t, agent.Name)
			b := machineOf(t, files, claim{})
			shown := whatShows(t, b, agent.Name)
			for _, capability := range agent.Capabilities {
				what, is := capability.What, func(c claim) bool { return c.what == capability.What }
				if !slices.ContainsFunc(claims, is) {
					t.Errorf("nothing is tried of %s", what)
				}
				missing := slices.ContainsFunc(claims, func(c claim) bool { return is(c) && c.from == "" })
				if missing != (capability.How == sources.Missing) {
					t.Errorf("%s is said to be %s", what, capability.How)
				}
				if missing && len(shown[what]) > 0 {
					t.Errorf("%s is said not to be in the files: %q", what, shown[what])
				}
			}
			for _, c := range claims {
				if c.from == "" {
					continue
				}
				if !shown.has(c) {
					t.Errorf("%s: %q does not show: %q", c.what, c.shows, shown[c.what])
				}
				if without := whatShows(t, machineOf(t, files, c), agent.Name); without.has(c) {
					t.Errorf("%s: %q shows without %s: %q", c.what, c.shows, c.from, without[c.what])
				}
			}
			importsShow(t, b, agent.Name)
		})
	}
}

// importsShow fails the test if a copy does not show what its original does.
func importsShow(t *testing.T, b *Backend, agent string) {
	t.Helper()
	rows, err := b.List(t.Context(), ListOptions{Agent: agent, Subagents: true})
	newsMust(t, err)
	for i := range rows {
		copied, err := b.Import(t.Context(), rows[i].ID)
		newsMust(t, err)
		theirs, ours := things{}, things{}
		theirs.session(t, b, &rows[i])
		ours.session(t, b, &copied.Session)
		for _, what := range sourcetest.Whats() {
			switch what {
			case "parent", "sub-agents", "version": // of the original
				continue
			}
			if a, b := fmt.Sprint(theirs[what]), fmt.Sprint(ours[what]); a != b {
				t.Errorf("%s of %s: %s; of its copy: %s", what, rows[i].ID, a, b)
			}
		}
	}
}
