package digest

import (
	"strings"
	"testing"

	"palimpsest/backend/index"
)

// TestWhatAMessageSaysIsHeardOrNot: what is left out of a message, or of what a compaction puts in the place of others, is not said to be seen.
func TestWhatAMessageSaysIsHeardOrNot(t *testing.T) {
	const call, thinking = `{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"a word"}}`, `{"type":"thinking","text":"a word"}`
	const text = `{"type":"text","text":"a word"}`
	const asIs = `{"type":"document","title":"a word","sentAsIs":true}`
	said := func(role, more, content string) string {
		return `"message","schemaVersion":1,"role":"` + role + `","content":[` + content + `]` + more
	}
	instead := func(messages string) string {
		return `"compaction","schemaVersion":1,"firstKeptSeq":1,"tokensBefore":9,"readFiles":[],"modifiedFiles":[],"summary":"s","replacement":[` + messages + `]`
	}
	result := `{"role":"toolResult","toolCallId":"c","content":[` + text + `]}`
	called := `{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"ls","arguments":{}}]}`
	failed := strings.Replace(called, `"assistant"`, `"assistant","stopReason":"error"`, 1)
	const last = "}\n" + `{"seq":2,"recordType":"message","schemaVersion":1,"role":"assistant","provider":"q","content":[{"type":"text","text":"x"}]`
	const compacted = "}\n" + `{"seq":2,"recordType":"compaction","schemaVersion":1,"firstKeptSeq":2,"tokensBefore":9,"readFiles":[],"modifiedFiles":[],"summary":"s"`
	for name, one := range map[string]struct {
		record string
		fate   Fate
	}{
		"a call of an assistant":             {said("assistant", "", call), Context},
		"a call of a person":                 {said("user", "", text+","+strings.ReplaceAll(call, "a word", "another")), Dropped},
		"thinking in a note":                 {`"note","schemaVersion":2,"namespace":"n","data":null,"content":[{"type":"text","text":"x"},` + thinking + `]`, Dropped},
		"thinking":                           {said("assistant", `,"provider":"p"`, thinking+","+strings.ReplaceAll(text, "a word", "x")), Context},
		"thinking of another provider":       {said("assistant", `,"provider":"p"`, thinking) + last, Dropped},
		"thinking that goes to any":          {said("assistant", `,"provider":"p"`, strings.Replace(thinking, "}", `,"anyProvider":true}`, 1)+","+strings.ReplaceAll(text, "a word", "x")) + last, Context},
		"thinking that is aside":             {said("assistant", "", strings.Replace(thinking, "}", `,"aside":true}`, 1)+","+strings.ReplaceAll(text, "a word", "x")), Dropped},
		"a text that is aside":               {said("user", "", strings.Replace(text, "}", `,"aside":true}`, 1)+","+strings.ReplaceAll(text, "a word", "x")), Dropped},
		"a block that goes as it is":         {said("user", "", asIs), Context},
		"one that does not":                  {said("user", "", strings.Replace(asIs, "true", "false", 1)+","+strings.ReplaceAll(text, "a word", "x")), Dropped},
		"one of a result":                    {said("assistant", "", call) + "}\n" + `{"seq":2,` + strings.Replace(said("toolResult", `,"toolCallId":"c"`, strings.Replace(asIs, "a word", "another", 1)), `"message"`, `"recordType":"message"`, 1), Context},
		"one that is compacted":              {said("user", "", asIs) + compacted, Summary},
		"one instead":                        {instead(`{"role":"user","content":[` + asIs + `]}`), Context},
		"thinking that is aside, compacted":  {said("assistant", "", strings.Replace(thinking, "}", `,"aside":true}`, 1)+","+strings.ReplaceAll(text, "a word", "x")) + compacted, Dropped},
		"thinking that goes to any, instead": {instead(`{"role":"assistant","provider":"p","content":[` + strings.Replace(thinking, "}", `,"anyProvider":true}`, 1) + `,{"type":"text","text":"x"}]},{"role":"assistant","provider":"q","content":[{"type":"text","text":"x"}]}`), Context},
		"thinking that is aside, instead":    {instead(`{"role":"assistant","content":[` + strings.Replace(thinking, "}", `,"aside":true}`, 1) + `,{"type":"text","text":"x"}]}`), Dropped},
		"a failed answer, instead":           {instead(`{"role":"assistant","stopReason":"error","content":[` + text + `]}`), Dropped},
		"a result, instead":                  {instead(called + "," + result), Context},
		"a result without a call, instead":   {instead(result), Dropped},
		"the second result, instead":         {instead(called + "," + strings.ReplaceAll(result, "a word", "other") + "," + result), Dropped},
		"a result of a failed call, instead": {instead(failed + "," + result), Dropped},
	} {
		var log strings.Builder
		line(&log, 1, "%s", one.record)
		d, texts := read(t, log.String())
		var last index.Text
		for _, text := range texts {
			if strings.Contains(text.Text, "word") || strings.Contains(text.Text, "another") {
				last = text
			}
		}
		fate := d.Spans.Runs().Of(0)
		if last.Part > 0 {
			fate = d.Apart.Runs().Of(last.Part - 1)
		}
		if fate != one.fate {
			t.Errorf("%s: %q, not %q", name, fate, one.fate)
		}
	}
}

// TestNobodySaidWhatStandsForASummary: that a summary can't be read are our words, and found nowhere.
func TestNobodySaidWhatStandsForASummary(t *testing.T) {
	var log strings.Builder
	line(&log, 1, `"compaction","schemaVersion":1,"firstKeptSeq":1,"tokensBefore":9,"readFiles":[],"modifiedFiles":[],"summary":"","replacement":[`+
		`{"role":"user","content":[{"type":"text","text":"kept"}]},{"role":"user","content":[{"type":"text","text":"[summary not readable: encrypted]"}]}]`)
	_, texts := read(t, log.String())
	if len(texts) != 2 || texts[1].Text != "kept" { // behind the name
		t.Errorf("%+v", texts)
	}
}

// TestANoteWithoutWordsChangesNothing: agents write them with every answer, and a digest goes on behind them.
func TestANoteWithoutWordsChangesNothing(t *testing.T) {
	var log strings.Builder
	line(&log, 1, `"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"ask"}]`)
	first, _ := read(t, log.String())
	line(&log, 2, `"note","schemaVersion":2,"namespace":"n","data":{"took":9},"display":false`)
	d, err := Continue(first, strings.NewReader(log.String()), int64(log.Len()), options(), func(index.Text) error { return nil })
	if err != nil || d.Spans.Runs().Of(1) != "" {
		t.Errorf("%+v, %v", d, err)
	}
}
