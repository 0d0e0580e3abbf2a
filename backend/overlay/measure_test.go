package overlay_test

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// answered is an assistant message of 400 characters (100 tokens) that reports usage.
func answered(seq, input int, more string) string {
	return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"role":"assistant","content":[{"type":"text","text":"%s"}],"usage":{"input":%d,"output":100,"cacheRead":0,"cacheWrite":0}%s}`,
		seq, strings.Repeat("word", 100), input, more)
}

// asked is a user message of 4,000 characters: 1,000 tokens.
func asked(seq int) string {
	return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"role":"user","content":[{"type":"text","text":"%s"}]}`, seq, strings.Repeat("word", 1000))
}

func TestReportedAndCalibrated(t *testing.T) {
	const none = -1
	tests := []struct {
		name     string
		lines    []string
		reported int
		factor   float64
	}{
		{"nothing reported", []string{asked(1)}, none, 1},
		{"the last answer and what followed", []string{asked(1), answered(2, 1200, ""), asked(3)}, 1200 + 100 + 1000, 1.2},
		{"bounded above", []string{asked(1), answered(2, 9000, "")}, 9100, 1.6},
		{"bounded below", []string{asked(1), answered(2, 100, "")}, 200, 0.8},
		{"aborted does not count", []string{asked(1), answered(2, 1200, `,"stopReason":"aborted"`)}, none, 1},
		{"failed does not count", []string{asked(1), answered(2, 1200, `,"stopReason":"error"`)}, none, 1},
		{"an answer that says only what it wrote does not count", []string{asked(1), strings.Replace(answered(2, 0, ""), `"input":0,`, "", 1)}, none, 1},
		{"all zero does not count", []string{asked(1), strings.Replace(answered(2, 0, ""), `"output":100`, `"output":0`, 1)}, none, 1},
		{"stale after a compaction, until the next answer", []string{
			asked(1), answered(2, 1200, ""), asked(3), `{"recordType":"compaction","schemaVersion":1,"seq":4,"firstKeptSeq":2,"summary":"s"}`, asked(5),
		}, none, 1},
		{"fresh again with the next answer", []string{
			asked(1), answered(2, 9000, ""), asked(3), `{"recordType":"compaction","schemaVersion":1,"seq":4,"firstKeptSeq":3,"summary":"s"}`, answered(5, 1100, ""),
		}, 1200, 1.07},
		{"stale after a prune", []string{asked(1), answered(2, 1200, ""), `{"recordType":"prune","schemaVersion":2,"seq":3,"seqs":[9],"tokensFreed":1}`}, none, 1},
		{"stale after a revert", []string{asked(1), answered(2, 1200, ""), `{"recordType":"revert","schemaVersion":2,"seq":3,"targetSeq":9}`}, none, 1},
		{"stale after a branch", []string{asked(1), answered(2, 1200, ""), asked(3), `{"recordType":"branch","schemaVersion":2,"seq":4,"fromSeq":2}`}, none, 1.2},
		{"stale after a change of model", []string{asked(1), answered(2, 1200, ""), `{"recordType":"model","schemaVersion":2,"seq":3,"provider":"p","model":"m"}`}, none, 1.2},
		{"a label changes nothing", []string{asked(1), answered(2, 1200, ""), `{"recordType":"label","schemaVersion":2,"seq":3,"targetSeq":1,"label":"x"}`}, 1300, 1.2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx, _ := resolve(t, []byte(strings.Join(test.lines, "\n")+"\n"))
			got := none
			if ctx.Reported != nil {
				got = *ctx.Reported
			}
			if got != test.reported {
				t.Errorf("reported %d, want %d", got, test.reported)
			}
			if d := ctx.Calibration - test.factor; d > 0.01 || d < -0.01 {
				t.Errorf("calibration %.3f, want %.2f", ctx.Calibration, test.factor)
			}
		})
	}
}

func TestEstimate(t *testing.T) {
	tests := []struct {
		content string
		want    int
	}{
		{`[]`, 0},
		{`[{"type":"text","text":"12345"}]`, 2},
		{`[{"type":"text","text":"123"},{"type":"text","text":"4"}]`, 1},
		{`[{"type":"text","text":"日本語"}]`, 3},
		{`[{"type":"toolCall","id":"x","name":"read","arguments":{ "path" : "a.go" }}]`, 5}, // read{"path":"a.go"}: 19 characters
		{`[{"type":"image","mediaType":"image/png","blob":"00"}]`, 1200},
		// Of a text that was cut the whole counts; of one that a tool shows in short, what it shows.
		{`[{"type":"text","text":"1234\n[… 3992 bytes …]\n5678","blob":"00","bytes":4000}]`, 1000},
		{`[{"type":"text","text":"日本\n[… 288 bytes …]\n日本","blob":"00","bytes":300}]`, 100},
		{`[{"type":"text","text":"12\n[… 94 bytes in 2 lines left out …]\n34","blob":"00","bytes":98}]`, 10},
	}
	for _, test := range tests {
		rec, err := record.Decode([]byte(`{"recordType":"message","schemaVersion":1,"seq":1,"role":"assistant","content":` + test.content + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := overlay.Estimate(rec.Message.Content); got != test.want {
			t.Errorf("%s: %d, want %d", test.content, got, test.want)
		}
	}
}

func TestModelInForce(t *testing.T) {
	model := func(seq int, name string) string {
		return fmt.Sprintf(`{"recordType":"model","schemaVersion":2,"seq":%d,"provider":"p","model":"%s"}`, seq, name)
	}
	compaction := `{"recordType":"compaction","schemaVersion":1,"seq":3,"firstKeptSeq":3,"summary":"s","activeModel":{"provider":"q","model":"kept"}}`
	for name, test := range map[string]struct {
		lines []string
		want  record.Model
	}{
		"metadata's":           {[]string{asked(1)}, record.Model{Model: "meta"}},
		"the last record's":    {[]string{model(1, "a"), model(2, "b"), asked(3)}, record.Model{Provider: "p", Model: "b"}},
		"the compaction's":     {[]string{model(1, "a"), asked(2), compaction, asked(4)}, record.Model{Provider: "q", Model: "kept"}},
		"a switch after it":    {[]string{asked(1), asked(2), compaction, model(4, "c")}, record.Model{Provider: "p", Model: "c"}},
		"a branch's, at start": {[]string{asked(1), `{"recordType":"branch","schemaVersion":2,"seq":2,"fromSeq":0,"activeModel":{"provider":"r","model":"d"}}`}, record.Model{Provider: "r", Model: "d"}},
	} {
		log := strings.Join(test.lines, "\n") + "\n"
		ctx, err := overlay.Resolve(reverse(log), overlay.Options{Model: "meta"})
		if err != nil || ctx.Model != test.want {
			t.Errorf("%s: %+v, %v", name, ctx.Model, err)
		}
	}
}

func TestThinkingGoesToItsOwnProviderOnly(t *testing.T) {
	thought := func(seq int, provider string) string {
		return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"role":"assistant","content":[{"type":"thinking","text":"t"},{"type":"text","text":"x"}],"provider":"%s"}`, seq, provider)
	}
	log := strings.Join([]string{asked(1), thought(2, "a"), asked(3), thought(4, "b")}, "\n") + "\n"
	for provider, want := range map[string]string{"": "1 2", "a": "2 1"} {
		text := log
		if provider != "" {
			text += `{"recordType":"model","schemaVersion":2,"seq":5,"provider":"` + provider + `","model":"m"}` + "\n"
		}
		ctx, _ := resolve(t, []byte(text))
		if got := fmt.Sprintf("%d %d", len(ctx.Messages[1].Content), len(ctx.Messages[3].Content)); got != want || len(ctx.Repairs) != 1 {
			t.Errorf("provider %q in force: blocks %s, want %s; repairs %v", provider, got, want, ctx.Repairs)
		}
	}
}
