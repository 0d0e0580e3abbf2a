package overlay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// lightened gives the records of a log without their texts.
type lightened struct{ *session.Reverse }

func (l lightened) Prev() (overlay.Entry, error) {
	entry, err := l.Reverse.Prev()
	if err == nil {
		rec := record.DecodeScanned(entry.Header, entry.Line)
		light := overlay.Light(&rec)
		entry.Line, entry.Record = nil, &light
	}
	return entry, err
}

// talkative is a drawn log with longer texts, providers and usage.
func talkative(t *rapid.T) string {
	lines := strings.Split(string(drawLog(t)), "\n")
	for i, line := range lines {
		text := rapid.SampledFrom([]string{"x", "five words stand in here", "這是寬的", "\U0001F600 \x80"}).Draw(t, "text")
		line = strings.ReplaceAll(line, `"text":"x"`, `"text":"`+text+`"`)
		line = strings.ReplaceAll(line, `"arguments":{}`, fmt.Sprintf(`"arguments": {"of" : %q}`, text))
		answered := fmt.Sprintf(`"role":"assistant","provider":"%s","model":"%s","usage":{"input":%d,"output":1},`,
			rapid.SampledFrom([]string{"", "p", "q"}).Draw(t, "provider"), rapid.SampledFrom([]string{"", "m"}).Draw(t, "model"), rapid.IntRange(-1, 60).Draw(t, "input"))
		lines[i] = strings.Replace(line, `"role":"assistant",`, answered, 1)
	}
	return strings.Join(lines, "\n")
}

func TestLightRecordsMakeTheSameSizes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := talkative(t)
		whole, err := overlay.Resolve(reverse(log), overlay.Options{})
		if err != nil {
			t.Fatal(err)
		}
		light, err := overlay.Resolve(lightened{reverse(log)}, overlay.Options{})
		if err != nil {
			t.Fatal(err)
		}
		type sizes struct {
			Estimate, Messages int
			Parts              [3]int
			Reported           *int
			Calibration        float64
			Model              record.Model
			Repairs            []overlay.Repair
		}
		of := func(c *overlay.Context) sizes {
			return sizes{c.Estimate(), len(c.Messages), c.Parts(), c.Reported, c.Calibration, c.Model, c.Repairs}
		}
		if diff := cmp.Diff(of(&whole), of(&light)); diff != "" {
			t.Fatalf("%s\n%s", log, diff)
		}
	})
}

// TestALightContextHasTheSameMessages, whose texts are read one by one.
func TestALightContextHasTheSameMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := talkative(t)
		want, err := overlay.Resolve(reverse(log), overlay.Options{})
		if err != nil {
			t.Fatal(err)
		}
		light, err := overlay.Resolve(reverse(log), overlay.Options{Light: true})
		if err != nil {
			t.Fatal(err)
		}
		if light.Estimate() != want.Estimate() || light.Parts() != want.Parts() || light.Len() != want.Len() {
			t.Fatalf("%d messages of %v tokens, not %d of %v\n%s", light.Len(), light.Parts(), want.Len(), want.Parts(), log)
		}
		got := light
		got.Messages, got.Path = nil, want.Path
		for i, message := range light.All() {
			m, err := light.Whole(&message, func(offset int64) (record.Record, error) {
				line, _, _ := strings.Cut(log[offset:], "\n")
				return record.Decode([]byte(strings.Trim(line, " \t\r")))
			})
			if err != nil {
				t.Fatal(err)
			}
			got.Messages = append(got.Messages, m)
			if is, was := message.Clearable(), want.Messages[i].Clearable(); is != was || was && message.Frees() != want.Messages[i].Frees() {
				t.Fatalf("message %d is to be cleared: %v, %v\n%s", i, is, was, log)
			}
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(overlay.Message{}, overlay.Body{}, overlay.Context{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s\n%s", log, diff)
		}
	})
}

// TestACallInANoteIsNotCounted: a note may be said by the assistant and have a call; that is no call, and not sent.
func TestACallInANoteIsNotCounted(t *testing.T) {
	const log = `{"recordType":"note","schemaVersion":2,"seq":1,"namespace":"n","role":"assistant","content":[{"type":"toolCall","id":"a","name":"list_files","arguments":{"of":"everything"}},{"type":"text","text":"x"}]}` + "\n"
	for _, light := range []bool{false, true} {
		c, err := overlay.Resolve(reverse(log), overlay.Options{Light: light})
		if err != nil || c.Len() != 1 || c.Estimate() != 1 {
			t.Errorf("light %v: %d messages of %d tokens, %v", light, c.Len(), c.Estimate(), err)
		}
	}
}

// TestEnoughUsageIsKept: of a light context that has more answers than are looked at, those are kept by which it is measured.
func TestEnoughUsageIsKept(t *testing.T) {
	var log strings.Builder
	for i := range 60 {
		model, input, stop := "m", (7+i%5)*i, "stop"
		switch {
		case i < 30:
			model = "other"
		case i%3 == 1:
			input = 0
		case i%5 == 1:
			stop = "aborted"
		}
		fmt.Fprintf(&log, `{"recordType":"message","schemaVersion":1,"seq":%d,"timestamp":"2026-01-02T10:00:00Z","role":"user","content":[{"type":"text","text":"five words stand in here"}]}`+"\n", 2*i+1)
		fmt.Fprintf(&log, `{"recordType":"message","schemaVersion":1,"seq":%d,"timestamp":"2026-01-02T10:00:00Z","role":"assistant","provider":"p","model":"%s","stopReason":"%s","usage":{"input":%d,"output":1},"content":[{"type":"text","text":"x"}]}`+"\n", 2*i+2, model, stop, input)
	}
	want, err := overlay.Resolve(reverse(log.String()), overlay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := overlay.Resolve(reverse(log.String()), overlay.Options{Light: true})
	if err != nil || want.Calibration == 1 || got.Calibration != want.Calibration || want.Reported == nil || *got.Reported != *want.Reported {
		t.Errorf("%v, %v, not %v, %v (%v)", got.Calibration, got.Reported, want.Calibration, want.Reported, err)
	}
}

// TestWhatIsAsideIsNotSent: it is in no context and counts nothing, whether its texts are left in the log or not; thinking that goes to any
// provider is, whoever it came from.
func TestWhatIsAsideIsNotSent(t *testing.T) {
	const bare = `{"recordType":"message","schemaVersion":1,"seq":1,"role":"assistant","provider":"p","content":[{"type":"text","text":"said"}]}` + "\n" +
		`{"recordType":"message","schemaVersion":1,"seq":2,"role":"assistant","provider":"q","content":[{"type":"text","text":"said"}]}` + "\n"
	with := func(more string) string { return strings.ReplaceAll(bare, `"content":[`, `"content":[`+more+`,`) }
	for name, test := range map[string]struct{ log, as string }{
		"thinking":       {with(`{"type":"thinking","text":"five words stand in here","aside":true}`), bare},
		"a text":         {with(`{"type":"text","text":"five words stand in here","aside":true}`), bare},
		"an image":       {with(`{"type":"image","mediaType":"image/png","blob":"00","aside":true}`), bare},
		"of any":         {with(`{"type":"thinking","text":"five words stand in here","anyProvider":true}`), with(`{"type":"text","text":"five words stand in here"}`)},
		"of any, aside":  {with(`{"type":"thinking","text":"five words stand in here","anyProvider":true,"aside":true}`), bare},
		"marked as none": {with(`{"type":"text","text":"five words stand in here","aside":false}`), with(`{"type":"text","text":"five words stand in here"}`)},
	} {
		for _, light := range []bool{false, true} {
			got, err := overlay.Resolve(reverse(test.log), overlay.Options{Light: light})
			if err != nil {
				t.Fatal(err)
			}
			want, err := overlay.Resolve(reverse(test.as), overlay.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Estimate() != want.Estimate() || got.Len() != 2 || len(got.Message(0).Content) != len(want.Message(0).Content) || len(got.Repairs) > 0 {
				t.Errorf("%s: %d tokens, not %d; %+v, %+v", name, got.Estimate(), want.Estimate(), got.Message(0).Content, got.Repairs)
			}
		}
	}
}

// TestWhyNothingIsSent: of a message that has nothing but what is aside, that is the reason, and no repair.
func TestWhyNothingIsSent(t *testing.T) {
	got, err := overlay.Resolve(reverse(`{"recordType":"message","schemaVersion":1,"seq":1,"role":"assistant","content":[{"type":"thinking","text":"t","aside":true}]}`+"\n"), overlay.Options{})
	if err != nil || got.Dropped[0] != overlay.AsideBlocks || len(got.Repairs) > 0 || got.Len() > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
