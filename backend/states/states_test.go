package states

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

func said(seq int, role, more string) string {
	return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"role":"%s","content":[{"type":"text","text":"x"}]%s}`+"\n", seq, role, more)
}

func called(seq int, id string) string {
	return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"role":"assistant","content":[{"type":"toolCall","id":"%s","name":"ls","arguments":{}}]}`+"\n", seq, id)
}

func result(seq int, id string) string { return said(seq, "toolResult", `,"toolCallId":"`+id+`"`) }

// aside is a record that a person alone was shown.
func aside(line string) string { return strings.TrimSuffix(line, "}\n") + `,"aside":true}` + "\n" }

func over(seq int, kind, more string) string {
	return fmt.Sprintf(`{"recordType":"%s","schemaVersion":%d,"seq":%d,%s}`+"\n", kind, map[bool]int{true: 1, false: 2}[kind == "compaction"], seq, more)
}

func compacted(seq, kept int) string {
	return over(seq, "compaction", fmt.Sprintf(`"firstKeptSeq":%d,"summary":"s"`, kept))
}

// tableOf resolves a log, and is what became of its lines.
// emptied is a message with nothing that can be sent.
func emptied(line string) string {
	return strings.Replace(line, `"type":"text"`, `"type":"hologram"`, 1)
}

// asIs is a message with nothing but a block that its agent sends as it is.
func asIs(line string) string {
	return strings.Replace(line, `"type":"text"`, `"type":"hologram","sentAsIs":true`, 1)
}

// replaced is a compaction that puts a call in place of what was before it, and says that others have stayed as they were.
func replaced(seq int, id string, kept ...int) string {
	seqs, _ := json.Marshal(append([]int{}, kept...))
	return over(seq, "compaction", fmt.Sprintf(`"firstKeptSeq":1,"summary":"s","replacement":[{"role":"assistant","content":[{"type":"toolCall","id":"%s","name":"ls","arguments":{}}]}],"keptSeqs":%s`, id, seqs))
}

func tableOf(t interface{ Fatal(...any) }, log string) (*session.Index, *Table) {
	var x session.Index
	reader := strings.NewReader(log)
	if err := x.Extend(reader, reader.Size()); err != nil {
		t.Fatal(err)
	}
	table, err := Resolve(reader, &x, "")
	if err != nil {
		t.Fatal(err)
	}
	return &x, table
}

func statesOf(x *session.Index, table *Table) []State {
	states := make([]State, 0, x.Lines.Len())
	for i := range x.Lines.Len() {
		state, _ := table.Of(x, i)
		states = append(states, state)
	}
	return states
}

func TestStates(t *testing.T) {
	for _, c := range []struct {
		name, log string
		want      []State
	}{
		{"without a compaction", said(1, "user", "") + said(2, "assistant", ""), []State{Kept, Kept}},
		{
			"a compaction", said(1, "user", "") + said(2, "assistant", "") + compacted(3, 2) + said(4, "user", ""),
			[]State{Superseded, Kept, InForce, Fresh},
		},
		{"one that keeps nothing", said(1, "user", "") + compacted(2, 3) + said(3, "user", ""), []State{Superseded, InForce, Fresh}},
		{
			"with a replacement",
			said(1, "user", "") + over(2, "compaction", `"firstKeptSeq":1,"summary":"s","replacement":[{"role":"user","content":[{"type":"text","text":"r"}]}]`) + said(3, "user", ""),
			[]State{Superseded, InForce, Fresh},
		},
		{
			"with a replacement that has some of the same", said(1, "user", "") + said(2, "assistant", "") + over(3, "note", `"namespace":"n","content":[{"type":"text","text":"x"}]`) + replaced(4, "a", 1, 3) + said(5, "user", ""),
			[]State{Kept, Superseded, Kept, InForce, Fresh},
		},
		{
			"with one that stands off the path", said(1, "user", "") + said(2, "user", "") + over(3, "branch", `"fromSeq":1`) + replaced(4, "a", 2, 1),
			[]State{Kept, Kept, Meta, InForce},
		},
		{
			"with a summary of before", said(1, "user", "") + compacted(2, 2) + said(3, "user", "") + over(4, "branch", `"fromSeq":1`) + replaced(5, "a", 2, 3),
			[]State{Superseded, Folded, Kept, Meta, InForce},
		},
		{
			"with one that another took the place of", said(1, "user", "") + said(2, "user", "") + replaced(3, "a", 1) + replaced(4, "a", 2),
			[]State{Superseded, Kept, Folded, InForce},
		},
		{
			"with one that was taken back", said(1, "user", "") + said(2, "user", "") + compacted(3, 2) + replaced(4, "a", 1) + over(5, "revert", `"targetSeq":4`),
			[]State{Superseded, Kept, InForce, Reverted, Meta},
		},
		{"a second one", said(1, "user", "") + compacted(2, 1) + said(3, "user", "") + compacted(4, 3), []State{Superseded, Folded, Kept, InForce}},
		{"reverted", said(1, "user", "") + compacted(2, 3) + over(3, "revert", `"targetSeq":2`), []State{Kept, Reverted, Meta}},
		{
			"reverted to the one before", said(1, "user", "") + compacted(2, 3) + said(3, "user", "") + compacted(4, 5) + over(5, "revert", `"targetSeq":4`),
			[]State{Superseded, InForce, Fresh, Reverted, Meta},
		},
		{
			"a branch", said(1, "user", "") + said(2, "user", "") + compacted(3, 2) + over(4, "branch", `"fromSeq":1,"summary":"b"`) + said(5, "user", ""),
			[]State{Kept, OffPath, OffPath, Kept, Kept},
		},
		{"a branch from nothing", said(1, "user", "") + over(2, "branch", `"fromSeq":0`) + said(3, "user", ""), []State{OffPath, Meta, Kept}},
		{"a prune", called(1, "a") + result(2, "a") + over(3, "prune", `"seqs":[2],"tokensFreed":1`), []State{Kept, Pruned, Meta}},
		{
			"a prune that says what stands there", called(1, "a") + result(2, "a") + over(3, "prune", `"seqs":[2],"tokensFreed":1,"texts":["t"]`),
			[]State{Kept, Pruned, Kept},
		},
		{
			"one behind a compaction, and a later one", called(1, "a") + result(2, "a") + compacted(3, 1) + over(4, "prune", `"seqs":[2],"tokensFreed":1,"texts":["t"]`) + over(5, "prune", `"seqs":[2],"tokensFreed":1,"texts":["u"]`),
			[]State{Kept, Pruned, InForce, Meta, Fresh},
		},
		{
			"a prune that was reverted", called(1, "a") + result(2, "a") + over(3, "prune", `"seqs":[2],"tokensFreed":1`) + over(4, "revert", `"targetSeq":3`),
			[]State{Kept, Kept, Reverted, Meta},
		},
		{"what only another agent sends", asIs(said(1, "user", "")) + emptied(said(2, "user", "")), []State{Kept, Dropped}},
		{"what a person alone was shown", said(1, "user", "") + said(2, "assistant", `,"aside":true`) + over(3, "note", `"namespace":"n","data":1,"display":true,"content":[{"type":"text","text":"t"}],"aside":true`), []State{Kept, Dropped, Dropped}},
		{"that, before a compaction", said(1, "user", "") + said(2, "assistant", `,"aside":true`) + compacted(3, 4), []State{Superseded, Dropped, InForce}},
		{"an answer that failed", said(1, "user", "") + said(2, "assistant", `,"stopReason":"error"`), []State{Kept, Dropped}},
		{"a result without its call", result(1, "a"), []State{Dropped}},
		{"a call behind the compaction", called(1, "a") + result(2, "a") + compacted(3, 2), []State{Superseded, Dropped, InForce}},
		{
			"notes and labels", over(1, "note", `"namespace":"n","content":[{"type":"text","text":"x"}]`) + over(2, "note", `"namespace":"n"`) + over(3, "label", `"targetSeq":1,"label":"l"`),
			[]State{Kept, Meta, Meta},
		},
		{"a newer record", `{"recordType":"hologram","schemaVersion":1,"seq":1}` + "\n" + said(2, "user", ""), []State{Newer, Kept}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, table := tableOf(t, c.log)
			if diff := cmp.Diff(c.want, statesOf(x, table)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWhatIsTakenOverAndLeftOut: a line that a compaction has replaced by the same words is not kept if the model is not sent these.
func TestWhatIsTakenOverAndLeftOut(t *testing.T) {
	says := func(line, text string) string { return strings.Replace(line, `"text":"x"`, `"text":"`+text+`"`, 1) }
	part := func(role, text, more string) string {
		return `{"role":"` + role + `","content":[{"type":"text","text":"` + text + `"}]` + more + `}`
	}
	call := `{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"ls","arguments":{}}]}`
	failed := `,"stopReason":"error"`
	for name, c := range map[string]struct {
		parts []string
		want  []State
	}{
		"all are sent":               {[]string{part("user", "one", ""), call, part("toolResult", "two", `,"toolCallId":"a"`)}, []State{Kept, Kept, Kept}},
		"a result without its call":  {[]string{part("user", "one", ""), part("toolResult", "two", `,"toolCallId":"a"`)}, []State{Kept, Dropped, Dropped}},
		"an answer that failed":      {[]string{part("assistant", "one", failed), part("user", "two", "")}, []State{Dropped, Kept, Kept}},
		"one of two that say it":     {[]string{part("assistant", "two", failed), part("user", "two", "")}, []State{Kept, Dropped, Kept}},
		"one that is sent for two":   {[]string{part("user", "one", ""), part("user", "two", "")}, []State{Kept, Kept, Kept}},
		"more copies than are taken": {[]string{part("user", "one", ""), part("assistant", "one", failed)}, []State{Kept, Kept, Kept}},
	} {
		log := says(said(1, "user", ""), "one") + says(said(2, "user", ""), "two") + says(said(3, "user", ""), "two") +
			over(4, "compaction", `"firstKeptSeq":1,"summary":"s","replacement":[`+strings.Join(c.parts, ",")+`],"keptSeqs":[1,2,3]`)
		x, table := tableOf(t, log)
		o := OutlookOf(x)
		account, err := new(Account).resolve(strings.NewReader(log), &o)
		if err != nil {
			t.Fatal(err)
		}
		for way, table := range map[string]*Table{"resolved": table, "by an account": account} {
			if diff := cmp.Diff(append(c.want, InForce), statesOf(x, table)); diff != "" {
				t.Errorf("%s, %s: %s", name, way, diff)
			}
			if seen := 1 + strings.Count(fmt.Sprint(c.want), string(Kept)); table.Model.Len() != seen {
				t.Errorf("%s, %s: the model sees %d, not %d", name, way, table.Model.Len(), seen)
			}
		}
	}
}

// TestPicturesThatAreTakenOverAndLeftOut: so it is of a line that says nothing and only shows a picture.
func TestPicturesThatAreTakenOverAndLeftOut(t *testing.T) {
	shows := func(blob string) string {
		return `"content":[{"type":"image","mediaType":"image/png","blob":"` + blob + `"}]`
	}
	picture := func(line, blob string) string {
		return strings.Replace(line, `"content":[{"type":"text","text":"x"}]`, shows(blob), 1)
	}
	log := picture(said(1, "user", ""), "one") + picture(result(2, "a"), "two") + said(3, "user", "") +
		over(4, "compaction", `"firstKeptSeq":1,"summary":"s","replacement":[{"role":"user",`+shows("one")+`},{"role":"toolResult","toolCallId":"a",`+shows("two")+`}],"keptSeqs":[1,2]`)
	x, table := tableOf(t, log)
	if diff := cmp.Diff([]State{Kept, Dropped, Superseded, InForce}, statesOf(x, table)); diff != "" {
		t.Error(diff)
	}
}

func TestCovered(t *testing.T) {
	log := said(1, "user", "") + said(2, "assistant", "") + compacted(3, 2) + said(4, "user", "") + compacted(5, 6) + over(6, "revert", `"targetSeq":5`)
	x, table := tableOf(t, log)
	if diff := cmp.Diff(map[int]int{2: 1, 4: 2}, table.Covered(x)); diff != "" {
		t.Error(diff)
	}
	x, table = tableOf(t, said(1, "user", "")+said(2, "assistant", `,"aside":true`)+compacted(3, 4))
	if diff := cmp.Diff(map[int]int{2: 1}, table.Covered(x)); diff != "" {
		t.Error(diff)
	}
	log = said(1, "user", "") + said(2, "assistant", "") + said(3, "user", "") + strings.Replace(replaced(4, "a", 3), `"firstKeptSeq":1`, `"firstKeptSeq":4`, 1)
	x, table = tableOf(t, log)
	if diff := cmp.Diff(map[int]int{3: 2}, table.Covered(x)); diff != "" {
		t.Error(diff)
	}
}

// TestWordsOfAPruneAreSeen: the model sees a prune that puts words in the place of a result, and none that only clears it.
func TestWordsOfAPruneAreSeen(t *testing.T) {
	for texts, want := range map[string][]int{`,"texts":["short"]`: {0, 1, 2}, "": {0, 1}} {
		_, table := tableOf(t, called(1, "a")+result(2, "a")+over(3, "prune", `"seqs":[2],"tokensFreed":1`+texts))
		if diff := cmp.Diff(want, slices.Collect(table.Model.All())); diff != "" {
			t.Errorf("with%s: %s", texts, diff)
		}
	}
}

// uncompacted is a log whose compactions do nothing, so that all of its path is walked.
type uncompacted struct{ *session.Reverse }

func (l uncompacted) Prev() (overlay.Entry, error) {
	entry, err := l.Reverse.Prev()
	if err == nil && entry.Type == record.TypeCompaction {
		entry.Type = record.TypeLabel
		entry.Record = &record.Record{Header: entry.Header, Label: &record.Label{}}
	}
	return entry, err
}

// drawLog draws records that point anywhere, mostly in order.
func drawLog(t *rapid.T) string {
	var log strings.Builder
	seq := 0
	for n := range rapid.IntRange(0, 20).Draw(t, "lines") {
		if seq += rapid.SampledFrom([]int{1, 1, 1, 3}).Draw(t, "step"); rapid.IntRange(0, 9).Draw(t, "disorder") == 0 {
			seq = rapid.IntRange(1, 12).Draw(t, "seq")
		}
		other, id := rapid.IntRange(0, 14).Draw(t, "other"), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "id")
		log.WriteString(rapid.SampledFrom([]string{
			said(seq, "user", ""), said(seq, "user", `,"aside":true`), aside(called(seq, id)), aside(result(seq, id)), said(seq, "user", ""), emptied(said(seq, "user", "")), asIs(said(seq, "user", "")), emptied(said(seq, "assistant", `,"stopReason":"aborted"`)), replaced(seq, id, other, seq-1), said(seq, "assistant", ""), said(seq, "assistant", `,"stopReason":"error"`), called(seq, id), result(seq, id),
			compacted(seq, other), over(seq, "revert", fmt.Sprintf(`"targetSeq":%d`, other)), over(seq, "prune", fmt.Sprintf(`"seqs":[%d],"tokensFreed":1`, other)), over(seq, "prune", fmt.Sprintf(`"seqs":[%d,%d],"tokensFreed":1,"texts":["instead %d.",""]`, other, seq-1, n)),
			over(seq, "branch", fmt.Sprintf(`"fromSeq":%d,"summary":"%s"`, other, id)), over(seq, "note", `"namespace":"n","content":[{"type":"text","text":"x"}]`), over(seq, "note", `"namespace":"n"`),
			over(seq, "label", `"targetSeq":1,"label":"l"`), fmt.Sprintf(`{"recordType":"hologram","schemaVersion":1,"seq":%d}`+"\n", seq), "{\"torn\n",
		}).Draw(t, "record"))
	}
	return log.String()
}

// TestStatesAreThoseOfTheContext: a line is seen if the context holds it, off the path if it is not on it, and else a summary stands for it or it
// was dropped for a reason.
func TestStatesAreThoseOfTheContext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		x, table := tableOf(t, log)
		reverse := func() *session.Reverse { return session.NewReverse(strings.NewReader(log), int64(len(log))) }
		resolved, err := overlay.Resolve(reverse(), overlay.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := overlay.Resolve(uncompacted{reverse()}, overlay.Options{})
		if err != nil {
			t.Fatal(err)
		}
		holds, path := map[int64]bool{}, map[int64]bool{}
		for i := range resolved.Messages {
			if m := &resolved.Messages[i]; m.Overlay != overlay.OverlayCompaction && m.Overlay != overlay.OverlayRepair {
				holds[m.Offset] = true
				if said := m.Content[0].Text; strings.HasPrefix(said, "instead") {
					offset := strings.LastIndex(log[:strings.Index(log, said)], "\n") + 1
					holds[int64(offset)] = true
				}
			}
		}
		for _, place := range all.Path {
			path[place.Offset] = true
		}
		if c := resolved.Compaction; c != nil {
			for _, seq := range c.KeptSeqs {
				at := lineAt(x, resolved.CompactionOffset)
				i := table.Target(x, at, seq)
				for ; i < 0 && at > 0; at-- { // off the path, where none is on it
					if x.Lines.At(at-1).Seq == seq {
						i = at - 1
					}
				}
				if i < 0 {
					continue
				}
				if rec := OverlayAt(x, i); isMessage(x.Lines.At(i)) || x.Lines.At(i).Kind == session.LineNote || rec != nil && rec.Branch != nil && rec.Branch.Summary != "" {
					holds[x.Lines.At(i).Offset] = true
				}
			}
		}
		seen := 0
		for i, line := range x.Lines.All() {
			if line.Kind == session.LineDamaged {
				continue
			}
			state, reason := table.Of(x, i)
			is := func(what State, want bool) {
				if (state == what) != want {
					t.Fatalf("line %d of\n%sis %s", i+1, log, state)
				}
			}
			switch state {
			case Kept, Fresh, Pruned:
				seen++
				is(state, holds[line.Offset])
			default:
				is(state, !holds[line.Offset])
			}
			_, dropped := resolved.Dropped[line.Offset]
			aside := line.Kind == session.LineAside && path[line.Offset] // behind a compaction, too, no summary has it
			is(Dropped, aside || dropped && line.Kind != session.LineNewer)
			is(InForce, resolved.Compaction != nil && line.Offset == resolved.CompactionOffset)
			is(Newer, line.Kind == session.LineNewer)
			if isMessage(line) {
				is(OffPath, !path[line.Offset] && !holds[line.Offset])
				is(Superseded, path[line.Offset] && !dropped && !holds[line.Offset])
				if state == Superseded && resolved.Compaction == nil {
					t.Fatalf("line %d of\n%sis superseded by nothing", i+1, log)
				}
			}
			if (reason != "") != (state == Dropped) {
				t.Fatalf("line %d is %s for %q", i+1, state, reason)
			}
			if table.OnPath(i) != path[line.Offset] {
				t.Fatalf("line %d of\n%sis on the path: %v", i+1, log, path[line.Offset])
			}
		}
		if resolved.Compaction != nil {
			seen++
		}
		if table.Model.Len() != seen {
			t.Fatalf("%d lines of\n%sare seen, not %d", table.Model.Len(), log, seen)
		}
	})
}

// TestOutlookIsAsStates: what the index tells alone is what the context tells, but for what was pruned or dropped, and what stands there.
func TestOutlookIsAsStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		x, table := tableOf(t, log)
		o := OutlookOf(x)
		for i, line := range x.Lines.All() {
			state, _ := table.Of(x, i)
			if line.Kind == session.LineDamaged || state == Pruned || state == Dropped {
				continue
			}
			if rec := OverlayAt(x, i); rec != nil && rec.Prune != nil && rec.Prune.Texts != nil {
				continue
			}
			if rough := o.Of(i); rough != state {
				t.Fatalf("line %d of\n%sis %s, not %s", i+1, log, rough, state)
			}
		}
	})
}
