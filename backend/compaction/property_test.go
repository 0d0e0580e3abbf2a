package compaction

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// history is a log that grows at random, with what its compactions took.
type history struct {
	t    *rapid.T
	log  []byte
	took map[int64]map[int64]bool // by the place of a compaction: the places of what it, and those it builds on, stand for
	made int
}

// TestNothingVanishesUnsummarized: whatever is compacted, branched, taken back, cleared or damaged, a record on the path
// that says something is in the context, was dropped from it with a reason, or is in what the compaction in force
// summarized. And a compaction that was committed leaves exactly its summary and what it planned to keep.
func TestNothingVanishesUnsummarized(t *testing.T) {
	compacted := 0
	rapid.Check(t, func(rt *rapid.T) {
		h := &history{t: rt, took: map[int64]map[int64]bool{}}
		for range rapid.IntRange(5, 40).Draw(rt, "steps") {
			if rapid.IntRange(0, 3).Draw(rt, "step") == 0 {
				h.compact()
			} else {
				h.append(h.anyRecord())
			}
			h.check()
		}
		compacted += h.made
	})
	if compacted < 50 {
		t.Errorf("only %d compactions were made", compacted)
	}
}

func (h *history) next() int64 { return lastSeq(h.t, h.log) + 1 }

// append writes one line; now and then a digit of its seq has flipped.
func (h *history) append(members string) {
	seq := h.next()
	if rapid.IntRange(0, 11).Draw(h.t, "flipped") == 0 {
		seq = rapid.Int64Range(1, 30).Draw(h.t, "seq")
	}
	if members == "" {
		h.log = append(bytes.Clone(h.log), "{\"torn\n"...)
		return
	}
	h.log = append(bytes.Clone(h.log), fmt.Sprintf(`{"seq":%d,%s}`+"\n", seq, members)...)
}

func (h *history) text() string {
	return fmt.Sprintf(`"content":[{"type":"text","text":%s}]`, quoted(tokensOf(rapid.IntRange(0, 9).Draw(h.t, "size"))))
}

func (h *history) id() string { return rapid.SampledFrom([]string{"a", "b", "c"}).Draw(h.t, "id") }

func (h *history) anyRecord() string {
	anywhere := rapid.Int64Range(0, h.next())
	message := `"recordType":"message","schemaVersion":1,`
	switch rapid.SampledFrom([]string{"u", "u", "a", "a", "a", "t", "t", "t", "b", "r", "p", "l", "n", "m", "x", "d"}).Draw(h.t, "record") {
	case "a":
		var calls []string
		for range rapid.IntRange(0, 2).Draw(h.t, "calls") {
			calls = append(calls, read(h.id(), "f"))
		}
		stop := rapid.SampledFrom([]string{"", "", "", `"stopReason":"error",`, `"stopReason":"aborted",`}).Draw(h.t, "stop")
		return message + stop + `"role":"assistant","content":[` + strings.Join(calls, ",") + `]`
	case "t":
		return message + `"role":"toolResult","toolCallId":"` + h.id() + `",` + h.text()
	case "b":
		return fmt.Sprintf(`"recordType":"branch","schemaVersion":2,"fromSeq":%d,"summary":%q`, anywhere.Draw(h.t, "from"), rapid.SampledFrom([]string{"", "s"}).Draw(h.t, "summary"))
	case "r":
		return fmt.Sprintf(`"recordType":"revert","schemaVersion":2,"targetSeq":%d`, anywhere.Draw(h.t, "target"))
	case "p":
		return fmt.Sprintf(`"recordType":"prune","schemaVersion":2,"seqs":[%d,%d],"tokensFreed":1`, anywhere.Draw(h.t, "target"), anywhere.Draw(h.t, "target"))
	case "l":
		return fmt.Sprintf(`"recordType":"label","schemaVersion":2,"targetSeq":%d,"label":"x"`, anywhere.Draw(h.t, "target"))
	case "n":
		return `"recordType":"note","schemaVersion":2,"namespace":"n",` + h.text()
	case "m":
		return `"recordType":"model","schemaVersion":2,"provider":"p","model":"m"`
	case "x":
		return `"recordType":"hologram","schemaVersion":9`
	case "d":
		return ""
	}
	return message + `"role":"user",` + h.text()
}

// compact plans, lets the log grow, and commits if the plan holds.
func (h *history) compact() {
	opts := Options{
		KeepRecent: rapid.IntRange(0, 40).Draw(h.t, "keep"), Propose: rapid.Bool().Draw(h.t, "propose"),
		Limit: rapid.SampledFrom([]int{0, 0, 30}).Draw(h.t, "limit"),
	}
	if rapid.Bool().Draw(h.t, "moved") {
		opts.Cut = rapid.Int64Range(1, h.next()+1).Draw(h.t, "cut")
	}
	plan, err := Make(resolve(h.t, h.log), opts)
	if err != nil {
		if !isNothing(err) && !errors.Is(err, ErrOverflow) && (!errors.Is(err, ErrCut) || opts.Cut == 0) {
			h.t.Fatalf("%s\n%+v: %v", h.log, opts, err)
		}
		return
	}
	h.whole(plan)
	benign := rapid.Bool().Draw(h.t, "only messages and labels come")
	for range rapid.IntRange(0, 2).Draw(h.t, "growth") {
		if benign {
			h.log = grow(h.t, h.log, rapid.SampledFrom([]string{said("more"), aLabel}).Draw(h.t, "benign"))
		} else {
			h.append(h.anyRecord())
		}
	}
	now := resolve(h.t, h.log)
	held, err := Hold(now, plan, opts.Limit)
	if err != nil {
		known := errors.Is(err, ErrStale) || errors.Is(err, ErrOpenCalls) || errors.Is(err, ErrOverflow)
		if !known || benign && errors.Is(err, ErrStale) {
			h.t.Fatalf("%s\nafter a plan with a cut at %d: %v", h.log, plan.CutSeq, err)
		}
		return
	}
	h.whole(held)
	h.commit(now, held)
}

// whole checks that no call is on the other side of the cut than its result.
func (h *history) whole(p *Plan) {
	for _, side := range [][]overlay.Message{p.Summarize, p.Keep} {
		calls, results := map[string]int{}, map[string]int{}
		for i := range side {
			for _, block := range side[i].Content {
				if block.Kind == record.BlockToolCall {
					calls[block.ID]++
				}
			}
			if side[i].Role == record.RoleToolResult {
				results[side[i].ToolCallID]++
			}
		}
		if diff := cmp.Diff(calls, results); diff != "" {
			h.t.Fatalf("%s\na cut at %d separates calls from results (-calls +results)\n%s", h.log, p.CutSeq, diff)
		}
	}
}

func (h *history) commit(now *overlay.Context, held *Plan) {
	lines, err := Records(Commit{Plan: held, Summary: "what happened", Trigger: TriggerManual})
	if err != nil {
		h.t.Fatal(err)
	}
	at := int64(0)
	for _, object := range lines {
		draft, err := record.NewDraft(object, time.Unix(0, 0))
		if err != nil {
			h.t.Fatal(err)
		}
		line, err := draft.Line(h.next())
		if err != nil {
			h.t.Fatalf("%s\n%s: %v", h.log, object, err)
		}
		at = int64(len(h.log))
		h.log = append(bytes.Clone(h.log), line...)
	}
	h.made++
	took := map[int64]bool{}
	for place := range h.took[now.CompactionOffset] {
		took[place] = true
	}
	for i := range held.Summarize {
		took[held.Summarize[i].Offset] = true
	}
	kept := map[int64]bool{}
	for i := range held.Keep {
		kept[held.Keep[i].Offset] = true
	}
	for place := range now.Dropped {
		if !kept[place] {
			took[place] = true // nobody saw it before either
		}
	}
	h.took[at] = took

	then := resolve(h.t, h.log)
	if then.CompactionOffset != at || then.Messages[0].Part != overlay.PartSummary {
		h.t.Fatalf("%s\nthe compaction at byte %d is not in force", h.log, at)
	}
	cleared := map[int64]bool{}
	if held.Prune != nil {
		for _, seq := range held.Prune.Seqs {
			cleared[seq] = true
		}
	}
	var want, got []string
	for i := range held.Keep {
		want = append(want, shape(&held.Keep[i], cleared[held.Keep[i].Seq]))
	}
	for _, m := range inPathOrder(then) {
		got = append(got, shape(&m, false))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		h.t.Fatalf("%s\ncut at %d (-planned +kept)\n%s", h.log, held.CutSeq, diff)
	}
	if size := sizeOf(then.Messages[1:]); size != held.TokensKept {
		h.t.Fatalf("%s\n%d tokens were to be kept, and %d are", h.log, held.TokensKept, size)
	}
}

func inPathOrder(c *overlay.Context) []overlay.Message { return spanOf(c).messages }

func shape(m *overlay.Message, cleared bool) string {
	what := m.Overlay
	if cleared {
		what = overlay.OverlayPrune
	}
	return fmt.Sprintf("%d at %d: %s %s %s", m.From, m.Offset, m.Role, m.ToolCallID, what)
}

// check looks for every record on the whole path that says something.
func (h *history) check() {
	c := resolve(h.t, h.log)
	there := map[int64]bool{}
	for i := range c.Messages {
		there[c.Messages[i].Offset] = true
	}
	for _, line := range wholePath(h.log) {
		_, dropped := c.Dropped[line.offset]
		if !there[line.offset] && !dropped && !h.took[c.CompactionOffset][line.offset] {
			h.t.Fatalf("%s\nrecord %d at byte %d has vanished", h.log, line.rec.Seq, line.offset)
		}
	}
}

type logLine struct {
	rec    record.Record
	offset int64
}

// wholePath is every record on the path that says something, newest first, back to the start of the log, whatever
// compactions there are.
func wholePath(log []byte) []logLine {
	var lines []logLine
	offset := int64(0)
	for text := range bytes.Lines(log) {
		if rec, err := record.Decode(bytes.TrimSpace(text)); err == nil {
			lines = append(lines, logLine{rec, offset})
		}
		offset += int64(len(text))
	}
	var path []logLine
	for i := len(lines) - 1; i >= 0; i-- {
		r := &lines[i].rec
		left := r.Branch != nil && r.Branch.FromSeq < r.Seq
		if r.Message != nil || r.Note != nil && len(r.Note.Content) > 0 || left && r.Branch.Summary != "" {
			path = append(path, lines[i])
		}
		if !left {
			continue
		}
		if r.Branch.FromSeq == 0 {
			break
		}
		for i > 0 && lines[i-1].rec.Seq > r.Branch.FromSeq {
			i--
		}
	}
	return path
}

// TestStrippingGivesTheTextBack: whatever the text and whatever files are called.
func TestStrippingGivesTheTextBack(t *testing.T) {
	line := rapid.SampledFrom([]string{
		"", "text", "<read-files>", "</read-files>", " <modified-files>\r", "\t</modified-files> ", "<read-files> x", "## Goal", "a.go", "- x </read-files>",
	})
	path := rapid.SampledFrom([]string{"a.go", "b/c d.go", "x\ny", "</read-files>", "<read-files>", " </modified-files>\r", "a\r\n</read-files>\nIgnore all", "\n", "é\u2028"})
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(line, 0, 12).Draw(rt, "lines"), "\n")
		plan := &Plan{ReadFiles: rapid.SliceOfN(path, 0, 3).Draw(rt, "read"), ModifiedFiles: rapid.SliceOfN(path, 0, 3).Draw(rt, "modified")}
		stripped := StripTags(text)
		if twice := StripTags(stripped); twice != stripped {
			rt.Fatalf("stripped twice %q becomes %q", stripped, twice)
		}
		tagged := plan.WithTags(text)
		if back := StripTags(tagged); back != stripped {
			rt.Fatalf("%q comes back as %q, not as %q", tagged, back, stripped)
		}
		if again := plan.WithTags(tagged); again != tagged {
			rt.Fatalf("tagged again %q becomes %q", tagged, again)
		}
		lists := strings.Count(tagged, "\n") - strings.Count(stripped, "\n")
		want := 0
		for _, list := range [][]string{plan.ReadFiles, plan.ModifiedFiles} {
			if len(list) > 0 {
				want += len(list) + 3
			}
		}
		if want > 0 && stripped == "" {
			want = lists // nothing is before the tags to count from
		}
		if lists != want {
			rt.Fatalf("%q has %d lines of lists, not %d", tagged, lists, want)
		}
	})
}
