package overlay_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

const maxSeq = 14

// content draws blocks: few ids, so that they repeat; some blocks that can't be sent.
func content(t *rapid.T, role string) string {
	n := rapid.IntRange(0, 3).Draw(t, "blocks")
	blocks := make([]string, n)
	for i := range blocks {
		kinds := []string{
			`{"type":"text","text":"x"}`, `{"type":"text","text":""}`, `{"type":"hologram"}`,
			`{"type":"image","mediaType":"image/png","blob":"00"}`, `{"type":"thinking","text":"t"}`,
			`{"type":"text","text":"x","aside":true}`, `{"type":"image","mediaType":"image/png","blob":"00","aside":true}`,
			`{"type":"thinking","text":"t","aside":true}`, `{"type":"thinking","text":"t","anyProvider":true}`,
			`{"type":"hologram","sentAsIs":true}`, `{"type":"image","source":"x","sentAsIs":true,"aside":true}`, `{"type":"hologram","sentAsIs":false}`,
		}
		if role == "assistant" || rapid.IntRange(0, 9).Draw(t, "stray call") == 0 {
			id := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "id")
			call := `{"type":"toolCall","id":"` + id + `","name":"ls","arguments":{}}`
			kinds = append(kinds, call, call, call)
		}
		blocks[i] = rapid.SampledFrom(kinds).Draw(t, "block")
	}
	return "[" + strings.Join(blocks, ",") + "]"
}

// aside is, for a few, that a person alone was shown it.
func aside(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", "", "", `,"aside":true`}).Draw(t, "aside")
}

func saying(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", `,"role":"assistant"`, `,"role":"odd"`}).Draw(t, "said")
}

func message(t *rapid.T, seq int64) string {
	role := rapid.SampledFrom([]string{"user", "assistant", "toolResult", "toolResult"}).Draw(t, "role")
	more := ""
	switch role {
	case "assistant":
		more = rapid.SampledFrom([]string{"", "", "", `,"stopReason":"error"`, `,"stopReason":"aborted"`}).Draw(t, "stop")
	case "toolResult":
		more = `,"toolCallId":"` + rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "id") + `"`
	}
	return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"role":"%s","content":%s%s%s}`, seq, role, content(t, role), more, aside(t))
}

// drawRecord draws one line of any type, pointing anywhere: back, ahead, at itself, at nothing.
func drawRecord(t *rapid.T, seq int64, ends []int64) string {
	seqs := rapid.Int64Range(0, maxSeq)
	switch rapid.SampledFrom([]string{"m", "m", "m", "m", "m", "m", "c", "b", "r", "p", "l", "n", "o", "x", "d"}).Draw(t, "type") {
	case "c":
		replacement := rapid.SampledFrom([]string{"", "", "", `,"replacement":[{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"ls","arguments":{}}]}]`}).Draw(t, "replacement")
		summary := rapid.SampledFrom([]string{"s", ""}).Draw(t, "summary")
		return fmt.Sprintf(`{"recordType":"compaction","schemaVersion":1,"seq":%d,"firstKeptSeq":%d,"summary":"%s"%s}`, seq, seqs.Draw(t, "kept"), summary, replacement)
	case "b":
		offset := rapid.OneOf(rapid.SampledFrom(ends), rapid.Int64Range(0, ends[len(ends)-1])).Draw(t, "offset")
		return fmt.Sprintf(`{"recordType":"branch","schemaVersion":2,"seq":%d,"fromSeq":%d,"fromOffset":%d,"summary":"%s"}`, seq, seqs.Draw(t, "from"), offset, rapid.SampledFrom([]string{"", "s"}).Draw(t, "summary"))
	case "r":
		return fmt.Sprintf(`{"recordType":"revert","schemaVersion":2,"seq":%d,"targetSeq":%d}`, seq, seqs.Draw(t, "target"))
	case "p":
		instead := rapid.SampledFrom([]string{"", `,"texts":["x","y"]`, `,"texts":["z"]`}).Draw(t, "instead")
		return fmt.Sprintf(`{"recordType":"prune","schemaVersion":2,"seq":%d,"seqs":[%d,%d],"tokensFreed":1%s}`, seq, seqs.Draw(t, "target"), seqs.Draw(t, "target"), instead)
	case "l":
		return fmt.Sprintf(`{"recordType":"label","schemaVersion":2,"seq":%d,"targetSeq":%d,"label":"x"}`, seq, seqs.Draw(t, "target"))
	case "n":
		return fmt.Sprintf(`{"recordType":"note","schemaVersion":2,"seq":%d,"namespace":"n","content":%s%s%s}`, seq, content(t, "user"), aside(t), saying(t))
	case "o":
		return fmt.Sprintf(`{"recordType":"model","schemaVersion":2,"seq":%d,"provider":"","model":"m"}`, seq)
	case "x":
		return fmt.Sprintf(`{"recordType":"hologram","schemaVersion":1,"seq":%d}`, seq)
	case "d":
		return rapid.SampledFrom([]string{"{", "", "x", `{"seq":3}`}).Draw(t, "damage")
	}
	return message(t, seq)
}

// drawLog draws a log; mostly in order, with jumps. Branches carry offsets of ends of lines, or of nothing.
func drawLog(t *rapid.T) []byte {
	var log bytes.Buffer
	seq, ends := int64(0), []int64{0}
	for range rapid.IntRange(0, 16).Draw(t, "lines") {
		seq++
		if rapid.IntRange(0, 7).Draw(t, "disorder") == 0 {
			seq = rapid.Int64Range(1, maxSeq).Draw(t, "seq")
		}
		log.WriteString(drawRecord(t, seq, ends) + "\n")
		ends = append(ends, int64(log.Len()))
	}
	return log.Bytes()
}

func reverse(log string) *session.Reverse {
	return session.NewReverse(strings.NewReader(log), int64(len(log)))
}

func resolve(t testing.TB, log []byte) (overlay.Context, *session.Reverse) {
	t.Helper()
	back := session.NewReverse(bytes.NewReader(log), int64(len(log)))
	ctx, err := overlay.Resolve(back, overlay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return ctx, back
}

func symbols(ctx *overlay.Context) []string {
	var out []string
	for i := range ctx.Messages {
		out = append(out, symbol(&ctx.Messages[i]))
	}
	return out
}

func repaired(ctx *overlay.Context) []int64 {
	var out []int64
	for _, r := range ctx.Repairs {
		out = append(out, r.Seq)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// decoded is the log as the naive implementation reads it: forward, record by record, with no code of the reader's.
func decoded(log []byte) []line {
	var lines []line
	offset := int64(0)
	for text := range bytes.Lines(log) {
		end := offset + int64(len(text))
		if rec, err := record.Decode(bytes.TrimSpace(text)); err == nil {
			lines = append(lines, line{rec: rec, start: offset, end: end})
		}
		offset = end
	}
	return lines
}

func TestBackwardScanEqualsNaiveForward(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := drawLog(rt)
		ctx, _ := resolve(t, log)
		want := resolveNaively(decoded(log))
		got := naive{context: symbols(&ctx), repairs: repaired(&ctx), comp: ctx.CompactionSeq}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(naive{}), cmpopts.EquateEmpty()); diff != "" {
			rt.Fatalf("%s\n(-naive +real)\n%s", log, diff)
		}
	})
}

// TestContextIsValidForAChatAPI states what an API insists on, whatever the log holds.
func TestContextIsValidForAChatAPI(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := drawLog(rt)
		ctx, _ := resolve(t, log)
		if why := invalid(ctx.Messages); why != "" {
			rt.Fatalf("%s\n%v: %s", log, symbols(&ctx), why)
		}
	})
}

func invalid(messages []overlay.Message) string {
	var open []string
	for i := range messages {
		m := &messages[i]
		if m.Role == record.RoleToolResult {
			if len(open) == 0 || open[0] != m.ToolCallID {
				return fmt.Sprintf("message %d answers %q, open are %q", i, m.ToolCallID, open)
			}
			open = open[1:]
		} else if len(open) > 0 {
			return fmt.Sprintf("message %d stands before the results of %q", i, open)
		}
		sendable := false
		for _, b := range m.Content {
			switch {
			case b.Kind == record.BlockUnknown:
				return fmt.Sprintf("message %d holds a block that can't be sent", i)
			case b.Kind == record.BlockToolCall && m.Role != record.RoleAssistant:
				return fmt.Sprintf("message %d is a %s that calls", i, m.Role)
			case b.Kind == record.BlockToolCall:
				open = append(open, b.ID)
			}
			sendable = sendable || b.Kind != record.BlockThinking && (b.Kind != record.BlockText || b.Text != "")
		}
		if !sendable {
			return fmt.Sprintf("message %d is empty", i)
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("no results for %q", open)
	}
	return ""
}

// TestContextAtEqualsContextOfTheLogCutThere: time travel is cutting the log.
func TestContextAtEqualsContextOfTheLogCutThere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := drawLog(rt)
		lines := decoded(log)
		if len(lines) == 0 {
			rt.Skip("no records")
		}
		seq := lines[rapid.IntRange(0, len(lines)-1).Draw(rt, "at")].rec.Seq
		_, end, err := session.FindBackward(bytes.NewReader(log), int64(len(log)), seq)
		if err != nil {
			rt.Fatal(err)
		}
		back := session.NewReverse(bytes.NewReader(log), end)
		at, err := overlay.Resolve(back, overlay.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		cut, cutBack := resolve(t, log[:end])
		if diff := cmp.Diff(symbols(&cut), symbols(&at)); diff != "" {
			rt.Fatal(diff)
		}
		if diff := cmp.Diff(cutBack.Damage(), back.Damage()); diff != "" {
			rt.Fatal(diff)
		}
		last := lines[len(lines)-1].rec.Seq
		for i := range slices.Backward(lines) {
			if lines[i].end == end && lines[i].rec.Seq != seq {
				rt.Fatalf("cut at %d, asked for %d (last %d)", lines[i].rec.Seq, seq, last)
			}
		}
	})
}

// failing is a log that can't be read to its start.
type failing struct{ *session.Reverse }

var errBroken = errors.New("the disk is broken")

func (failing) Prev() (overlay.Entry, error) { return overlay.Entry{}, errBroken }

func TestReadErrorIsTheContextsError(t *testing.T) {
	_, err := overlay.Resolve(failing{session.NewReverse(bytes.NewReader(nil), 0)}, overlay.Options{})
	if !errors.Is(err, errBroken) {
		t.Errorf("got %v", err)
	}
}

// counting counts what is read through it.
type counting struct {
	io.ReaderAt
	bytes int
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	c.bytes += len(p)
	return c.ReaderAt.ReadAt(p, off)
}

// TestReadsOnlyTheContext: history before what the compaction kept is not read, nor what a branch skips over.
func TestReadsOnlyTheContext(t *testing.T) {
	text := func(seq int, s string) string {
		return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"role":"user","content":[{"type":"text","text":"%s"}]}`+"\n", seq, s)
	}
	big := strings.Repeat("history ", 1<<20)
	start := text(1, "start")
	log := start + text(2, big) + text(3, "kept") +
		`{"recordType":"compaction","schemaVersion":1,"seq":4,"firstKeptSeq":3,"summary":"s"}` + "\n"
	branched := log + text(5, big) +
		fmt.Sprintf(`{"recordType":"branch","schemaVersion":2,"seq":6,"fromSeq":4,"fromOffset":%d}`+"\n", len(log)) + text(7, "on")
	for name, log := range map[string]string{"compaction": log, "branch": branched} {
		r := &counting{ReaderAt: strings.NewReader(log)}
		ctx, err := overlay.Resolve(session.NewReverse(r, int64(len(log))), overlay.Options{})
		if err != nil || ctx.CompactionSeq != 4 {
			t.Fatalf("%s: %+v, %v", name, ctx, err)
		}
		// The record that ends the walk is the long one: it has to be read to know that. One is enough.
		if limit := len(big) * 5 / 2; r.bytes > limit {
			t.Errorf("%s: read %d bytes of %d, at most %d were needed", name, r.bytes, len(log), limit)
		}
	}
}

// FuzzResolve: no bytes at all make it panic, and what comes out is valid.
func FuzzResolve(f *testing.F) {
	f.Add([]byte(`{"recordType":"compaction","schemaVersion":1,"seq":1,"firstKeptSeq":1,"summary":"s"}`))
	f.Add([]byte(`{"recordType":"branch","schemaVersion":2,"seq":2,"fromSeq":1}` + "\n" + `{"recordType":"revert","schemaVersion":2,"seq":3,"targetSeq":2}`))
	f.Fuzz(func(t *testing.T, log []byte) {
		ctx, _ := resolve(t, log)
		if why := invalid(ctx.Messages); why != "" {
			t.Fatal(why)
		}
	})
}
