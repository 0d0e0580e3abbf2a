package backend

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestCopiesOfWhatIsGone: of a session that is not there any more each message counts once, however many copies hold which part of it.
func TestCopiesOfWhatIsGone(t *testing.T) {
	const third = "01a1fbb2-517a-7cd2-9976-548effd87cf9"
	codexForks := lineages["codex, a fork that begins with its parent's lines"].files
	fork := codexForks[codexPlace+codexChild+".jsonl"]
	open := map[string]string{}
	says := func(session, id string, at int64, text string) {
		open[openPlace+"message/"+session+"/"+id+".json"] = openSays(session, id, at)
		open[openPlace+"part/"+id+"/p.json"] = openPart(session, id, text)
	}
	open[openPlace+"session/w/ses_q.json"] = `{"id":"ses_q","title":"a (fork #1)","time":{"created":1767349000000,"updated":1767349002000}}`
	says("ses_q", "q1", 1767348001000, "ask")
	says("ses_q", "q2", 1767349001000, "of the first fork")
	open[openPlace+"session/w/ses_r.json"] = `{"id":"ses_r","title":"a (fork #2)","time":{"created":1767350000000,"updated":1767350002000}}`
	says("ses_r", "r1", 1767348001000, "ask")
	says("ses_r", "r2", 1767349001000, "of the first fork")
	says("ses_r", "r3", 1767350001000, "of the second")
	for name, c := range map[string]struct {
		files map[string]string
		want  int
	}{
		"codex, two forks": {map[string]string{
			codexPlace + codexChild + ".jsonl": fork,
			codexPlace + third + ".jsonl":      strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(fork, codexChild, third), "T11:", "T12:"), "else", "apart"),
		}, 4},
		"opencode, a fork of a fork": {open, 3},
		"pi, forks of different parts": {map[string]string{
			".pi/agent/sessions/w/two.jsonl": piNamed("two", "11:00:00", `,"parentSession":"one.jsonl"`) + piSays("a", "10:00:01", "ask") + piSays("b", "10:00:02", "again"),
			".pi/agent/sessions/w/six.jsonl": piNamed("six", "11:00:00", `,"parentSession":"one.jsonl"`) + piSays("a", "10:00:01", "ask") + piSays("c", "10:00:03", "on a branch"),
		}, 3},
		"pi, a parent that was cut short": {map[string]string{
			".pi/agent/sessions/w/one.jsonl": piNamed("one", "10:00:00", "") + piSays("a", "10:00:01", "ask"),
			".pi/agent/sessions/w/two.jsonl": piNamed("two", "11:00:00", `,"parentSession":"2026_one.jsonl"`) + piSays("a", "10:00:01", "ask") + piSays("b", "10:00:02", "again") + piSays("c", "10:00:03", "once more"),
			".pi/agent/sessions/w/six.jsonl": piNamed("six", "11:00:00", `,"parentSession":"2026_one.jsonl"`) + piSays("a", "10:00:01", "ask") + piSays("b", "10:00:02", "again"),
		}, 3},
		"pi, a parent that went on": {map[string]string{
			".pi/agent/sessions/w/one.jsonl": piNamed("one", "10:00:00", "") + piSays("a", "10:00:01", "ask") + piSays("b", "10:00:02", "again") + piSays("d", "12:00:00", "later"),
			".pi/agent/sessions/w/two.jsonl": piNamed("two", "11:00:00", `,"parentSession":"2026_one.jsonl"`) + piSays("a", "10:00:01", "ask") + piSays("b", "10:00:02", "again"),
		}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			for path, text := range c.files {
				sourcetest.Write(t, home, path, text)
			}
			compareCount(t, abroad(t, home), name, c.want)
		})
	}
}

// TestCopiesAskedForAlone: where only the agent of a copy is asked for, the copy counts what it holds.
func TestCopiesAskedForAlone(t *testing.T) {
	home := t.TempDir()
	family := lineages["pi, a fork"]
	sourcetest.Write(t, home, family.first, family.files[family.first])
	b := abroad(t, home)
	listed, err := b.List(t.Context(), ListOptions{})
	newsMust(t, err)
	_, err = b.Import(t.Context(), listed[0].ID)
	newsMust(t, err)
	compareCount(t, b, "both", 2)
	for agent, want := range map[string]int{ownAgent: 2, "pi": 2} {
		s, err := b.Statistics(t.Context(), StatisticsOptions{Agent: agent})
		newsMust(t, err)
		if s.Totals.Messages != want || s.Totals.Sessions != 1 {
			t.Errorf("%s: %d messages in %d sessions", agent, s.Totals.Messages, s.Totals.Sessions)
		}
	}
}

// TestWhatAnImportAloneHas: what an agent dropped from the beginning of a session, or from its end, counts in the copy that was made before; what the
// session has still, or has by now, counts there.
func TestWhatAnImportAloneHas(t *testing.T) {
	const place = ".pi/agent/sessions/w/one.jsonl"
	head := piNamed("one", "10:00:00", "")
	says := []string{piSays("a", "10:00:01", "ask"), piSays("b", "10:00:02", "again"), piSays("c", "10:00:03", "once more")}
	for name, c := range map[string]struct {
		left  string
		total int
		ours  int
	}{
		"all of it":                   {strings.Join(says, ""), 3, 0},
		"its end":                     {says[2], 3, 2},
		"its end, and more":           {says[2] + piSays("d", "10:00:04", "later"), 4, 2},
		"its beginning":               {says[0], 3, 2},
		"its middle":                  {says[1], 3, 2},
		"nothing, but something else": {piSays("x", "10:00:09", "anew"), 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			sourcetest.Write(t, home, place, head+strings.Join(says, ""))
			b := abroad(t, home)
			_, err := b.Import(t.Context(), "pi:one")
			newsMust(t, err)
			sourcetest.Write(t, home, place, head+c.left)
			compareCount(t, b, name, c.total)
			s, err := b.Statistics(t.Context(), StatisticsOptions{})
			newsMust(t, err)
			for _, by := range s.Agents {
				if by.Agent == ownAgent && by.Messages != c.ours {
					t.Errorf("%d count in the copy, not %d", by.Messages, c.ours)
				}
			}
		})
	}
}
