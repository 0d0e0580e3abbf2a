package digest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"palimpsest/backend/index"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/states"
)

// drawn is a random log: messages, calls with and without results, and overlays that point anywhere. Each text has a word of its own.
func drawn(t *rapid.T) string {
	var log strings.Builder
	seq, words := 0, 0
	word := func() string {
		words++
		return fmt.Sprintf("w%dw%de", rapid.IntRange(0, 1<<30).Draw(t, "word"), words)
	}
	anywhere := rapid.IntRange(0, 14)
	provider := rapid.SampledFrom([]string{"", "p", "q"})
	said := map[int]string{} // contents of messages and notes, by seq; none of a number that others have, too
	active := func() string {
		return rapid.SampledFrom([]string{"", "", `,"activeModel":{"provider":"p","model":"m"}`, `,"activeModel":{"provider":"q","model":"m"}`}).Draw(t, "active")
	}
	message := func(role, more, content string) {
		if said[seq] = content; role != "assistant" && strings.Contains(content, "toolCall") {
			said[seq] = "" // as an answer, it would be another
		}
		line(&log, seq, `"message","schemaVersion":1,"role":"%s"%s,"content":[%s]`, role, more, content)
	}
	for range rapid.IntRange(0, 16).Draw(t, "lines") {
		seq++
		if rapid.IntRange(0, 9).Draw(t, "disorder") == 0 {
			seq = rapid.IntRange(1, 12).Draw(t, "seq")
		}
		_, again := said[seq]
		said[seq] = ""
		kinds := []string{
			"user", "user", "user", "assistant", "call", "result", "failed", "empty", "compaction", "replaced", "revert", "branch", "prune", "instead", "model", "note",
			"label", "newer", "torn", "blank", "odd", "reminder", "stopped", "looked", "again", "aside", "shown",
		}
		switch rapid.SampledFrom(kinds).Draw(t, "kind") {
		case "user":
			message("user", "", `{"type":"text","text":"`+word()+`"}`)
		case "aside":
			message(rapid.SampledFrom([]string{"user", "assistant"}).Draw(t, "whose"), `,"aside":true,"model":"m7","usage":{"input":3,"output":1}`, `{"type":"text","text":"`+word()+`"}`)
			said[seq] = "" // no replacement has it
		case "shown":
			line(&log, seq, `"note","schemaVersion":2,"namespace":"n","aside":true,"content":[{"type":"text","text":"%s"}]`, word())
		case "assistant":
			more := fmt.Sprintf(`,"model":"m%d","usage":{"input":%d,"output":2,"cost":0.5},"timestamp":"2026-11-0%dT10:00:00Z","provider":"%s","errorMessage":"%s"`, seq%2, seq, seq%9+1, provider.Draw(t, "provider"), word())
			message("assistant", more, `{"type":"text","text":"`+word()+`"},{"type":"thinking","text":"`+word()+`"`+goesTo(t)+`},{"type":"hologram","words":"`+word()+`"},{"type":"hologram","words":"`+word()+`","sentAsIs":true}`)
		case "call":
			message("assistant", "", fmt.Sprintf(`{"type":"toolCall","id":"c%d","name":"bash","arguments":{"command":"%s"}}`, anywhere.Draw(t, "call")%3, word()))
		case "result":
			message("toolResult", fmt.Sprintf(`,"toolCallId":"c%d","isError":true`, anywhere.Draw(t, "result")%3), `{"type":"text","text":"`+word()+`"}`)
		case "failed":
			message("assistant", `,"stopReason":"error","errorMessage":"`+word()+`"`, "")
		case "empty":
			message("user", "", "")
		case "compaction":
			line(&log, seq, `"compaction","schemaVersion":1,"firstKeptSeq":%d,"summary":"%s","tokensBefore":9,"readFiles":[],"modifiedFiles":[],"instructions":"%s"%s`, anywhere.Draw(t, "kept"), word(), word(), active())
		case "replaced":
			line(&log, seq, `"compaction","schemaVersion":1,"firstKeptSeq":1,"tokensBefore":9,"readFiles":[],"modifiedFiles":[],%s%s`, replacement(t, seq, said, word), active())
		case "revert":
			line(&log, seq, `"revert","schemaVersion":2,"targetSeq":%d`, anywhere.Draw(t, "target"))
		case "branch":
			line(&log, seq, `"branch","schemaVersion":2,"fromSeq":%d,"summary":"%s"%s`, anywhere.Draw(t, "from"), word(), active())
		case "prune":
			line(&log, seq, `"prune","schemaVersion":2,"seqs":[%d],"tokensFreed":1`, anywhere.Draw(t, "pruned"))
		case "instead":
			line(&log, seq, `"prune","schemaVersion":2,"seqs":[%d,%d],"tokensFreed":1,"texts":["%s","%s"]`, anywhere.Draw(t, "pruned"), anywhere.Draw(t, "pruned"), word(), word())
		case "model":
			line(&log, seq, `"model","schemaVersion":2,"provider":"%s","model":"m%d"`, provider.Draw(t, "provider"), seq%3)
		case "note":
			line(&log, seq, `"note","schemaVersion":2,"namespace":"n","data":null,"display":true,"content":[{"type":"text","text":"%s"}]`, word())
		case "label":
			line(&log, seq, `"label","schemaVersion":2,"targetSeq":1,"label":"%s"`, word())
		case "odd":
			message(rapid.SampledFrom([]string{"user", "assistant", "toolResult"}).Draw(t, "whose"), fmt.Sprintf(`,"toolCallId":"c%d","provider":"p"`, anywhere.Draw(t, "odd")%3), blocks(t, word))
		case "reminder":
			content := blocks(t, word)
			if !strings.Contains(content, "toolCall") {
				said[seq] = content
			}
			line(&log, seq, `"note","schemaVersion":2,"namespace":"n","data":null,"display":true,"content":[%s]`, content)
		case "stopped":
			message("assistant", fmt.Sprintf(`,"stopReason":"%s","provider":"p"`, rapid.SampledFrom([]string{"error", "aborted"}).Draw(t, "stop")), blocks(t, word))
		case "looked":
			message("toolResult", fmt.Sprintf(`,"toolCallId":"c%d"`, anywhere.Draw(t, "looked")%3), blocks(t, word))
		case "again":
			at := anywhere.Draw(t, "like")
			if content := said[at]; content != "" && !strings.Contains(content, "toolCall") {
				message(rapid.SampledFrom([]string{"user", "assistant"}).Draw(t, "who repeats it"), "", content)
			}
		case "newer":
			line(&log, seq, `"hologram","schemaVersion":1`)
		case "torn":
			log.WriteString("{\n")
		case "blank":
			log.WriteString("\n")
		}
		if again {
			said[seq] = ""
		}
	}
	return log.String()
}

// blocks draws a content of any kinds, whoever may say them.
func blocks(t *rapid.T, word func() string) string {
	var out []string
	for range rapid.IntRange(0, 3).Draw(t, "blocks") {
		switch rapid.IntRange(0, 5).Draw(t, "block") {
		case 5:
			out = append(out, `{"type":"hologram","words":"`+word()+`","sentAsIs":true}`)
		case 4:
			out = append(out, `{"type":"image","mediaType":"image/png","blob":"`+word()+`"}`)
		case 0:
			out = append(out, `{"type":"text","text":"`+word()+`"`+goesTo(t)+`}`)
		case 1:
			out = append(out, `{"type":"thinking","text":"`+word()+`"`+goesTo(t)+`}`)
		case 2:
			out = append(out, fmt.Sprintf(`{"type":"toolCall","id":"c%d","name":"bash","arguments":{"command":"%s"}}`, rapid.IntRange(0, 2).Draw(t, "id"), word()))
		case 3:
			out = append(out, `{"type":"hologram","words":"`+word()+`"}`)
		}
	}
	return strings.Join(out, ",")
}

// goesTo is, for some blocks, whom they go to: nobody, or any.
func goesTo(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", `,"aside":true`, `,"anyProvider":true`}).Draw(t, "mark")
}

// unheard is a block of which no model is sent anything, and heard one of which some is.
var unheard, heard = regexp.MustCompile(`\{[^{}]*"aside":true\}`), regexp.MustCompile(`"type":"(text|toolCall|image)"|"sentAsIs":true`)

// replacement draws what a compaction puts in the place of what was before it: some of that as it was, with or without its thinking, words
// that stand nowhere else, and its summary or not.
func replacement(t *rapid.T, seq int, said map[int]string, word func() string) string {
	var parts, kept []string
	once := map[string]bool{}
	for at := range seq {
		if content := said[at]; heard.MatchString(unheard.ReplaceAllString(content, "")) && rapid.Bool().Draw(t, "kept") {
			if rapid.Bool().Draw(t, "bare") {
				content = regexp.MustCompile(`,\{"type":"thinking".*?\}`).ReplaceAllString(content, "")
			}
			kept = append(kept, strconv.Itoa(at))
			if once[content] && rapid.Bool().Draw(t, "one copy for both") {
				continue
			}
			once[content] = true
			role := "assistant"
			if !strings.Contains(content, "toolCall") {
				role = rapid.SampledFrom([]string{"user", "assistant", "toolResult"}).Draw(t, "role")
			}
			stop := rapid.SampledFrom([]string{"", "", "", "error", "aborted"}).Draw(t, "copy stops")
			parts = append(parts, fmt.Sprintf(`{"role":"%s","toolCallId":"c%d","stopReason":"%s","provider":"p","content":[%s]}`,
				role, rapid.IntRange(0, 2).Draw(t, "copy answers"), stop, content))
		}
	}
	summary := word()
	parts = append(parts, fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":"%s"}]}`, word()))
	for range rapid.IntRange(0, 3).Draw(t, "more") {
		role := rapid.SampledFrom([]string{"user", "assistant", "assistant", "toolResult"}).Draw(t, "part")
		stop := rapid.SampledFrom([]string{"", "", "error", "aborted"}).Draw(t, "stop")
		parts = append(parts, fmt.Sprintf(`{"role":"%s","toolCallId":"c%d","stopReason":"%s","errorMessage":"%s","provider":"%s","content":[%s]}`,
			role, rapid.IntRange(0, 2).Draw(t, "answers"), stop, word(), rapid.SampledFrom([]string{"", "p", "q"}).Draw(t, "of"), blocks(t, word)))
	}
	if rapid.Bool().Draw(t, "summed up") {
		parts = append(parts, fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":"So far: %s."}]}`, summary))
	}
	return fmt.Sprintf(`"summary":"%s","replacement":[%s],"keptSeqs":[%s]`, summary, strings.Join(parts, ","), strings.Join(kept, ","))
}

func line(log *strings.Builder, seq int, format string, args ...any) {
	fmt.Fprintf(log, `{"seq":%d,"recordType":%s}`+"\n", seq, fmt.Sprintf(format, args...))
}

func read(t interface{ Fatal(args ...any) }, log string) (*Digest, []index.Text) {
	var texts []index.Text
	d, err := Read(strings.NewReader(log), int64(len(log)), options(), func(one index.Text) error { texts = append(texts, one); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return d, texts
}

func options() Options { return Options{Own: true, About: About{Agent: "palimpsest", Title: "a name"}} }

// TestUntold: answers of a model that say something and not what they took are counted; of a program's own words nobody expects it.
func TestUntold(t *testing.T) {
	var log strings.Builder
	said := func(seq int, more string) {
		line(&log, seq, `"message","schemaVersion":1,"role":"assistant","content":[{"type":"text","text":"x"}]%s`, more)
	}
	said(1, `,"model":"m","usage":{"input":1,"output":1}`)
	said(2, `,"model":"m"`)
	said(3, "")
	line(&log, 4, `"message","schemaVersion":1,"role":"assistant","content":[],"model":"m","stopReason":"error"`)
	d, _ := read(t, log.String())
	if len(d.Days) != 1 || d.Days[0].Answers != 1 || d.Days[0].Untold != 1 {
		t.Errorf("%s", d.Encode())
	}
	both := d.Days[0].Sum
	if both.Add(&d.Days[0].Sum); both.Untold != 2 {
		t.Errorf("%d of two", both.Untold)
	}
}

// TestSpansAreTheStates: of any log, what the digest says of each line is what the page says.
func TestSpansAreTheStates(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := drawn(rt)
		d, _ := read(rt, log)
		r := strings.NewReader(log)
		var x session.Index
		if err := x.Extend(r, r.Size()); err != nil {
			rt.Fatal(err)
		}
		table, err := states.Resolve(r, &x, "")
		if err != nil {
			rt.Fatal(err)
		}
		runs := d.Spans.Runs()
		if runs.Len() != x.Lines.Len() || d.Lines != x.Lines.Len() || d.Messages != x.Messages || d.Compactions != x.Compactions {
			rt.Fatalf("%s\n%+v of %d lines, %d messages", log, d, x.Lines.Len(), x.Messages)
		}
		for i := range x.Lines.Len() {
			if want := fateAt(&x, table, i); runs.Of(i) != want {
				rt.Fatalf("%s\nline %d is %q, not %q (%s)", log, i, runs.Of(i), want, d.Spans)
			}
		}
		for _, c := range d.Ledger {
			if state, _ := table.Of(&x, c.Line); string(state) != c.State || x.Lines.At(c.Line).Seq != c.Seq {
				rt.Fatalf("%s\ncompaction %+v is %s", log, c, state)
			}
		}
	})
}

// TestTextsFareAsTheyAreSeen: of any log, those texts are said to be in the context that the context holds.
func TestTextsFareAsTheyAreSeen(t *testing.T) {
	words := regexp.MustCompile(`w[0-9]+w[0-9]+e`)
	rapid.Check(t, func(rt *rapid.T) {
		log := drawn(rt)
		d, texts := read(rt, log)
		resolved, err := overlay.Resolve(session.NewReverse(strings.NewReader(log), int64(len(log))), overlay.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		sees := map[string]bool{}
		for i := range resolved.Messages {
			for _, b := range resolved.Messages[i].Content {
				said := b.Text + b.Arguments
				if b.Kind == record.BlockAsIs {
					said = b.JSON
				}
				for _, word := range words.FindAllString(said, -1) {
					sees[word] = true
				}
			}
		}
		said := map[string]bool{}
		lines, parts := d.Spans.Runs(), d.Apart.Runs()
		for _, text := range texts {
			fate := lines.Of(text.Line)
			if text.Part > 0 {
				fate = parts.Of(text.Part - 1)
			}
			for _, word := range words.FindAllString(text.Text, -1) {
				said[word] = said[word] || fate == Context
			}
		}
		for _, word := range words.FindAllString(log, -1) {
			if sees[word] != said[word] {
				rt.Fatalf("%s\n%s is in the context: %v; said to be: %v (%s, %s)", log, word, sees[word], said[word], d.Spans, d.Apart)
			}
		}
	})
}

// TestSpansOfALargeContext: what was dropped is told also of a context that nobody would hold in memory to find that out.
func TestSpansOfALargeContext(t *testing.T) {
	var log strings.Builder
	long := strings.Repeat("word ", 10<<10)
	for seq := 1; seq <= 400; seq++ {
		switch seq % 10 {
		case 3:
			line(&log, seq, `"message","schemaVersion":1,"role":"assistant","stopReason":"error","errorMessage":"no","content":[{"type":"text","text":"half"}]`)
		case 5:
			line(&log, seq, `"message","schemaVersion":1,"role":"toolResult","toolCallId":"nobody","content":[{"type":"text","text":"out"}]`)
		case 7:
			line(&log, seq, `"prune","schemaVersion":2,"seqs":[%d],"tokensFreed":1`, seq-2)
		default:
			line(&log, seq, `"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"%s"}]`, long)
		}
	}
	d, _ := read(t, log.String())
	resolved, err := overlay.Resolve(session.NewReverse(strings.NewReader(log.String()), int64(log.Len())), overlay.Options{Unmeasured: true})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int64]bool{}
	for i := range resolved.Messages {
		seen[resolved.Messages[i].Seq] = true
	}
	runs := d.Spans.Runs()
	for i := range runs.Len() {
		switch fate := runs.Of(i); {
		case (i+1)%10 == 7:
		case seen[int64(i)+1] != (fate == Context), !seen[int64(i)+1] != (fate == Dropped):
			t.Fatalf("line %d is %q, and in the context: %v", i, fate, seen[int64(i)+1])
		}
	}
}

// TestContinueIsRead: a digest that was continued is that of the whole log, and so are the texts.
func TestContinueIsRead(t *testing.T) {
	continued := 0
	rapid.Check(t, func(rt *rapid.T) {
		before, after := drawn(rt), drawn(rt)
		first, texts := read(rt, before)
		whole := before + after
		want, all := read(rt, whole)
		got, err := Continue(first, strings.NewReader(whole), int64(len(whole)), options(), func(one index.Text) error { texts = append(texts, one); return nil })
		if errors.Is(err, ErrAnew) {
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		continued++
		if !reflect.DeepEqual(got, want) {
			rt.Fatalf("%s---\n%s\ngot  %s\nwant %s", before, after, got.Encode(), want.Encode())
		}
		if named := withoutName(texts); !reflect.DeepEqual(named, withoutName(all)) {
			rt.Fatalf("%s---\n%s\ntexts %v\nnot %v", before, after, named, withoutName(all))
		}
	})
	if continued == 0 {
		t.Error("no log was continued")
	}
}

// TestMoreIsRead: so is one that was continued with nothing but the end of the log at hand.
func TestMoreIsRead(t *testing.T) {
	continued := 0
	rapid.Check(t, func(rt *rapid.T) {
		opts := options()
		opts.Own = false
		before, after := drawn(rt), drawn(rt)
		first, texts := readWith(rt, before, opts)
		if first.Continue == nil {
			return
		}
		want, all := readWith(rt, before+after, opts)
		got, err := More(first, []byte(before[first.Continue.Turn:]), []byte(after), opts, func(one index.Text) error { texts = append(texts, one); return nil })
		if errors.Is(err, ErrAnew) {
			return
		}
		continued++
		if err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(withoutName(texts), withoutName(all)) {
			rt.Fatalf("%s---\n%s\ngot  %s\nwant %s, %v", before, after, got.Encode(), want.Encode(), err)
		}
	})
	if continued == 0 {
		t.Error("no log was continued")
	}
}

func withoutName(texts []index.Text) (out []index.Text) {
	for _, t := range texts {
		if t.Line >= 0 {
			out = append(out, t)
		}
	}
	return out
}

// counting counts the bytes that are read.
type counting struct {
	r    io.ReaderAt
	read int64
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(p, off)
	c.read += int64(n)
	return n, err
}

// TestAnAppendReadsWhatIsNew: not what stands before the last message of a person, but once to compare it with what it was, and not even that
// where it is known to be.
func TestAnAppendReadsWhatIsNew(t *testing.T) {
	var log strings.Builder
	for seq := 1; seq <= 2000; seq++ {
		line(&log, seq, `"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"%s"}]`, strings.Repeat("x", 500))
	}
	opts := options()
	opts.Own = false
	all := func() *Digest {
		d, err := Read(strings.NewReader(log.String()), int64(log.Len()), opts, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := all()
	line(&log, 2001, `"message","schemaVersion":1,"role":"assistant","content":[{"type":"text","text":"new"}]`)
	whole := all()
	for begins, compared := range map[bool]int64{false: int64(log.Len()), true: 0} {
		var texts []string
		c := &counting{r: strings.NewReader(log.String())}
		opts.Begins = begins
		d, err := Continue(first, c, int64(log.Len()), opts, func(one index.Text) error { texts = append(texts, one.Text); return nil })
		if err != nil || !reflect.DeepEqual(d.Continue, whole.Continue) || d.Messages != 2001 || fmt.Sprint(texts) != "[a name new]" {
			t.Errorf("%+v %v %v", d, texts, err)
		}
		if c.read > compared+20<<10 {
			t.Errorf("read %d bytes of %d beside %d", c.read-compared, log.Len(), compared)
		}
	}
}

// TestALongTurnIsNotReadAgain: of a turn of thousands of calls only the last answer is, also where a call of an earlier turn was never answered.
func TestALongTurnIsNotReadAgain(t *testing.T) {
	var log strings.Builder
	seq := 0
	add := func(text string, args ...any) {
		seq++
		line(&log, seq, text, args...)
	}
	call := func(n int) {
		add(`"message","schemaVersion":1,"role":"assistant","model":"m","content":[{"type":"toolCall","id":"c%d","name":"bash","arguments":{}}]`, n)
	}
	call(0)
	add(`"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"go on"}]`)
	for n := 1; n < 1000; n++ {
		call(n)
		add(`"message","schemaVersion":1,"role":"toolResult","toolCallId":"c%d","content":[{"type":"text","text":"%s"}]`, n, strings.Repeat("x", 500))
	}
	first, _ := read(t, log.String())
	if again := first.Continue.Size - first.Continue.Turn; again > 2<<10 {
		t.Errorf("%d bytes are read again", again)
	}
	call(1000)
	want, _ := read(t, log.String())
	got, err := Continue(first, strings.NewReader(log.String()), int64(log.Len()), options(), nil)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%s\n%s", err, got.Encode(), want.Encode())
	}
}

func TestAnotherLogIsReadAnew(t *testing.T) {
	var log strings.Builder
	line(&log, 1, `"message","schemaVersion":1,"role":"user","content":[]`)
	for seq := 2; seq < 200; seq++ {
		line(&log, seq, `"message","schemaVersion":1,"role":"assistant","content":[{"type":"text","text":"some words"}]`)
	}
	first, _ := read(t, log.String())
	other := strings.Replace(log.String(), "user", "usir", 1) + "\n{}\n"
	for name, text := range map[string]string{"changed": other, "shorter": "\n"} {
		if _, err := Continue(first, strings.NewReader(text), int64(len(text)), options(), nil); !errors.Is(err, ErrAnew) {
			t.Errorf("%s: %v", name, err)
		}
	}
	torn := log.String() + `{"seq"`
	if d, _ := read(t, torn); d.Continue != nil || d.Damaged != 1 {
		t.Errorf("after a torn line: %+v", d)
	}
}

func TestFiguresAndTexts(t *testing.T) {
	var log strings.Builder
	at := `,"timestamp":"2026-11-0%dT23:30:00Z"`
	line(&log, 1, `"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"copied"}],"origin":{"agent":"pi","session":"s"}`+at, 1)
	line(&log, 2, `"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"ask"}]`+at, 2)
	line(&log, 3, `"message","schemaVersion":1,"role":"assistant","model":"m","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"f(x) \"y\"","n":[1,{"deep":true}]}}],"usage":{"input":3,"output":4,"cacheRead":5,"cost":0.25}`+at, 2)
	line(&log, 4, `"message","schemaVersion":1,"role":"toolResult","toolCallId":"c","isError":true,"content":[{"type":"text","text":"the\n[… 3 bytes …]\nole","blob":"b1","bytes":9},{"type":"text","text":"too long, see file","blob":"b1"},{"type":"text","text":"head","blob":"b2"}]`+at, 2)
	line(&log, 5, `"compaction","schemaVersion":1,"firstKeptSeq":5,"summary":"so far","tokensBefore":100,"trigger":"manual","readFiles":[],"modifiedFiles":[],"usage":{"input":7,"output":1}`+at, 3)
	line(&log, 6, `"note","schemaVersion":2,"namespace":"x.injected","data":null,"display":false,"content":[{"type":"text","text":"a reminder"}]`)
	line(&log, 7, `"note","schemaVersion":2,"namespace":"x.overlong","data":{"bytes":300000000}`)
	opts := options()
	opts.Location = time.FixedZone("east", 3600)
	opts.Blob = func(sha string) (string, bool) { return "the whole", sha == "b1" }
	var texts []string
	d, err := Read(strings.NewReader(log.String()), int64(log.Len()), opts, func(one index.Text) error {
		texts = append(texts, fmt.Sprintf("%d %s %s %q", one.Line, one.Scope, one.Tool, one.Text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`-1 name  "a name"`, `0 user  "copied"`, `1 user  "ask"`, `2 call bash "bash\ncommand: f(x) \"y\"\nn:\n1\ndeep: true"`,
		`3 output bash "the whole"`, `3 output bash "the whole"`, `3 output bash "too long, see file"`, `3 output bash "head"`, `4 summary  "so far"`, `5 injected  "a reminder"`,
	}
	if !reflect.DeepEqual(texts, want) {
		t.Errorf("texts\n%s", strings.Join(texts, "\n"))
	}
	days, _ := json.Marshal(d.Days)
	wantDays := `[{"d":"2026-11-03","o":"m","m":3,"p":1,"u":{"i":3,"o":4,"r":5,"x":8},"$":0.25,"a":1,"r":1,"l":{"cacheWrite":1},"t":{"bash":{"n":1,"e":1}}},{"d":"2026-11-04","o":"m","c":1,"u":{"i":7,"o":1,"x":12},"a":1,"l":{"cacheRead":1,"cacheWrite":1}}]`
	if string(days) != wantDays || d.Large != 2 || d.Spans != "s4c2-1" || *d.Ledger[0].Messages != 4 {
		t.Errorf("%s", d.Encode())
	}
	if back, err := Decode(d.Encode()); err != nil || !bytes.Equal(back.Encode(), d.Encode()) {
		t.Errorf("%v %v", back, err)
	}
	opts.CopiedTo = 3
	if d, err = Read(strings.NewReader(log.String()), int64(log.Len()), opts, nil); err != nil || len(d.Days) != 2 || d.Days[0].Usage != nil || d.Days[0].Tools["bash"].Calls != 0 {
		t.Errorf("a fork: %s", d.Encode())
	}
}

// TestACompactionThatStandsFirst: it took something, but what stands in another file.
func TestACompactionThatStandsFirst(t *testing.T) {
	var log strings.Builder
	compaction := func(seq int) {
		line(&log, seq, `"compaction","schemaVersion":1,"firstKeptSeq":%d,"summary":"s","tokensBefore":9,"readFiles":[],"modifiedFiles":[]`, seq)
	}
	compaction(1)
	line(&log, 2, `"message","schemaVersion":1,"role":"user","content":[]`)
	compaction(3)
	d, _ := read(t, log.String())
	if len(d.Ledger) != 2 || d.Ledger[0].Messages != nil || d.Ledger[1].Messages == nil || *d.Ledger[1].Messages != 1 {
		t.Errorf("%+v", d.Ledger)
	}
}

// TestAnEditIsInNoLedger: what another agent changed in the context has the form of a compaction, and is none.
func TestAnEditIsInNoLedger(t *testing.T) {
	var log strings.Builder
	line(&log, 1, `"message","schemaVersion":1,"role":"user","content":[]`)
	for seq, trigger := range []string{"unknown", record.TriggerEdit} {
		line(&log, seq+2, `"compaction","schemaVersion":1,"firstKeptSeq":%d,"summary":"s","tokensBefore":9,"readFiles":[],"modifiedFiles":[],"trigger":%q`, seq+2, trigger)
	}
	d, _ := read(t, log.String())
	if len(d.Ledger) != 1 || d.Ledger[0].Seq != 2 || d.Compactions != 1 {
		t.Errorf("%d compactions: %+v", d.Compactions, d.Ledger)
	}
}
