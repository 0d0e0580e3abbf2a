package backend

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/session"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/sourcetest"
)

// TestExportOfWhatAnEarlierReplacementStandsIn: what a compaction keeps may begin with one that put other messages in its place, or before
// it; then what that put there is no part of the context.
func TestExportOfWhatAnEarlierReplacementStandsIn(t *testing.T) {
	b := abroad(t, t.TempDir())
	const compaction = `{"recordType":"compaction","schemaVersion":1,"seq":%d,"firstKeptSeq":%d,"summary":"s","tokensBefore":1,"readFiles":[],"modifiedFiles":[]%s}` + "\n"
	const replacement = `,"replacement":[{"role":"user","content":[{"type":"text","text":"instead"}]},{"role":"user","content":[{"type":"text","text":"and"}]}]`
	for kept := range int64(6) {
		ours, err := b.store.Import(session.New{}, []byte(said(1, "user", "one")+said(2, "assistant", "two")+fmt.Sprintf(compaction, 3, 2, replacement)+
			said(4, "user", "four")+fmt.Sprintf(compaction, 5, kept+1, "")+said(6, "user", "six")))
		newsMust(t, err)
		exportedIsTheSame(t, b, ours.ID)
	}
}

// replaced is a compaction that has these messages in the place of all before, each a letter for its role and its text; of (S) that is what
// pi says of the summary S.
func replaced(seq, kept int, summary, trigger string, messages ...string) string {
	var parts []string
	for _, m := range messages {
		if summary, framed := strings.CutPrefix(m[1:], "("); framed {
			m = m[:1] + glean.Compacted.Say(strings.TrimSuffix(summary, ")"))
		}
		role := map[byte]string{'u': "user", 'a': "assistant"}[m[0]]
		parts = append(parts, fmt.Sprintf(`{"role":%q,"content":[{"type":"text","text":%q}]}`, role, m[1:]))
	}
	return fmt.Sprintf(`{"recordType":"compaction","schemaVersion":1,"seq":%d,"firstKeptSeq":%d,"summary":%q,"tokensBefore":7,"readFiles":[],"modifiedFiles":[],`+
		`"trigger":%q,"frame":{"before":%q,"after":%q},"replacement":[%s]}`+"\n", seq, kept, summary, trigger, glean.Compacted.Before, glean.Compacted.After, strings.Join(parts, ","))
}

// TestExportOfReplacements: a compaction stays one, whatever it puts in the place of others, and no message of a user or behind the summary stands
// in the file twice.
func TestExportOfReplacements(t *testing.T) {
	b := abroad(t, t.TempDir())
	talk := said(1, "user", "one") + said(2, "assistant", "two") + said(3, "user", "three") + said(4, "assistant", "four")
	system := `{"recordType":"note","schemaVersion":2,"seq":1,"namespace":"pi.system","content":[{"type":"text","text":"sys"}]}` + "\n" + strings.SplitAfterN(talk, "\n", 2)[1]
	pruned := said(1, "user", "one") + `{"recordType":"message","schemaVersion":1,"seq":2,"role":"assistant","content":[{"type":"toolCall","id":"c","name":"ls","arguments":{}}]}` + "\n" +
		said(3, "toolResult", "out") + `{"recordType":"prune","schemaVersion":2,"seq":4,"seqs":[3],"tokensFreed":1}` + "\n"
	for _, c := range []struct {
		name, log string
		want      string // the kinds of entries that a compaction is written as, and what it keeps
		more      int    // messages that stand in the file twice
	}{
		{"a summary and the last messages", talk + replaced(5, 3, "S", "unknown", "u(S)", "uthree", "afour"), "compaction 00000003", 0},
		{"a summary alone", talk + replaced(5, 3, "S", "unknown", "u(S)"), "compaction 00000005", 0},
		{"a newer system message", system + replaced(5, 3, "S", "unknown", "usys", "u(S)", "uthree", "afour"), "compaction 00000003 sys", 0},
		{"a first message that is no system message", talk + replaced(5, 3, "S", "unknown", "uone", "u(S)", "afour"), "compaction 00000005, custom_message, custom_message, message, context_edit", 1},
		{"what the user said, then the summary", talk + replaced(5, 3, "S", "unknown", "uone", "uthree", "uS"), "compaction 00000005, custom_message, custom_message, custom_message, context_edit", 0},
		{"the last messages alone", talk + replaced(5, 3, "S", "unknown", "uthree", "afour"), "compaction 00000003, context_edit", 0},
		{"a result that shows as cleared", pruned + replaced(5, 1, "S", "unknown", "u(S)", "uone"), "compaction 00000005, custom_message, custom_message, context_edit", 0},
		{"an edit", talk + replaced(5, 3, "S", "edit", "uone", "afour"), "message, message", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := c.log + said(6, "user", "six")
			ours, err := b.store.Import(session.New{}, []byte(log))
			newsMust(t, err)
			exportedIsTheSame(t, b, ours.ID)
			var out strings.Builder
			_, err = b.Export(t.Context(), ours.ID, ExportOptions{Format: "pi"}, &out)
			newsMust(t, err)
			if got := ofRecord(out.String(), 5); got != c.want {
				t.Errorf("%s, not %s\n%s", got, c.want, out.String())
			}
			home := t.TempDir()
			sourcetest.Write(t, home, ".pi/agent/sessions/x/x.jsonl", out.String())
			list, err := abroad(t, home).List(t.Context(), ListOptions{Agent: "pi"})
			newsMust(t, err)
			if got, want := int(*list[0].MessageCount), ours.MessageCount+c.more; got != want {
				t.Errorf("%d messages, not %d", got, want)
			}
			if got, want := *list[0].Compactions, strings.Count(log, `"trigger":"unknown"`); int(got) != want {
				t.Errorf("%d compactions, not %d", got, want)
			}
		})
	}
}

// ofRecord are the kinds of the entries of one record, and what a compaction keeps.
func ofRecord(exported string, seq int) string {
	var kinds []string
	for line := range strings.Lines(exported) {
		entry := gjson.Parse(line)
		if !strings.HasPrefix(entry.Get("id").Str, fmt.Sprintf("%08x", seq)) {
			continue
		}
		kind := entry.Get("type").Str + " " + entry.Get("firstKeptEntryId").Str + " " + entry.Get("systemMessage.content").Str
		kinds = append(kinds, strings.TrimSpace(kind))
	}
	return strings.Join(kinds, ", ")
}

// TestExportOfDrawnReplacements: so it is with any number of them, whatever is between.
func TestExportOfDrawnReplacements(t *testing.T) {
	const sessions, records = 60, 14
	b := abroad(t, t.TempDir())
	for seed := range uint64(sessions) {
		draw := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // drawn for a test
		var log strings.Builder
		words := func() string { return "ua"[draw.IntN(2):][:1] + string(rune('p'+draw.IntN(3))) }
		for seq := 1; seq <= records; seq++ {
			switch draw.IntN(7) {
			case 0:
				messages := []string{fmt.Sprintf("u(s%d)", seq)}
				for range draw.IntN(4) {
					messages = append(messages, words())
				}
				if draw.IntN(3) == 0 {
					messages = append([]string{words()}, messages...)
				}
				log.WriteString(replaced(seq, 1+draw.IntN(seq), fmt.Sprintf("s%d", seq), []string{"unknown", "edit"}[draw.IntN(4)/3], messages...))
			case 1:
				log.WriteString(strings.Replace(compactionLine(seq, 1+draw.IntN(seq)), `"tokensAfter":5,`, "", 1))
			case 2:
				fmt.Fprintf(&log, `{"recordType":"branch","schemaVersion":2,"seq":%d,"fromSeq":%d}`+"\n", seq, draw.IntN(seq))
			default:
				m := words()
				log.WriteString(said(seq, map[byte]string{'u': "user", 'a': "assistant"}[m[0]], m[1:]))
			}
		}
		log.WriteString(said(records+1, "user", "end"))
		ours, err := b.store.Import(session.New{}, []byte(log.String()))
		newsMust(t, err)
		if exportedIsTheSame(t, b, ours.ID); t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, log.String())
		}
	}
}

// TestExportOfWhatASummaryTook: what a compaction took is in pi's file as pi has it, and read back as it was; of one that does not tell, nothing is.
func TestExportOfWhatASummaryTook(t *testing.T) {
	b := abroad(t, t.TempDir())
	talk := said(1, "user", "one") + said(2, "assistant", "two") + said(3, "user", "three")
	for kind, compaction := range map[string]string{
		"a pointer": compactionLine(4, 3), "a replacement": replaced(4, 3, "S", "unknown", "u(S)", "uthree"), "what pi has no place for": replaced(4, 3, "S", "unknown", "uone", "u(S)"),
	} {
		for _, usage := range []string{
			"", `{"input":3,"output":1,"cacheRead":5,"cacheWrite":7,"cost":0.5}`, `{"input":3,"output":1}`, `{"input":3,"output":1,"cacheRead":0,"cacheWrite":0}`,
		} {
			line := compaction
			if usage != "" {
				line = strings.TrimSuffix(compaction, "}\n") + `,"usage":` + usage + "}\n"
			}
			ours, err := b.store.Import(session.New{}, []byte(talk+line+said(5, "user", "five")))
			newsMust(t, err)
			var out strings.Builder
			_, err = b.Export(t.Context(), ours.ID, ExportOptions{Format: "pi"}, &out)
			newsMust(t, err)
			home := t.TempDir()
			sourcetest.Write(t, home, ".pi/agent/sessions/x/x.jsonl", out.String())
			there := abroad(t, home)
			list, err := there.List(t.Context(), ListOptions{Agent: "pi"})
			newsMust(t, err)
			for line := range strings.Lines(readNow(t, there, list[0].ID).Log) {
				if edit := gjson.Get(line, "trigger").Str == "edit"; gjson.Get(line, "recordType").Str == "compaction" && !edit && gjson.Get(line, "usage").Raw != usage {
					t.Errorf("%s: %s, not %q\n%s", kind, line, usage, out.String())
				}
			}
			for line := range strings.Lines(out.String()) {
				if entry := gjson.Parse(line); entry.Get("type").Str == "compaction" && (usage != "") != (entry.Get("usage.cost.total").Type == gjson.Number) {
					t.Errorf("%s, of %q: %s", kind, usage, entry)
				}
			}
		}
	}
}
