package overlay_test

import (
	"strings"
	"testing"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// TestWhatIsSentAsItIs: it stands in the context without a repair, and counts the texts in it; a file, or what nobody can read, counts as an image.
func TestWhatIsSentAsItIs(t *testing.T) {
	const five = "five words stand in here"
	data := strings.Repeat("JVBERi0xLjQK", 100)
	for name, test := range map[string]struct {
		block string
		count int
	}{
		"its texts":               {`{"title":"` + five + `","pages":[{"n":12345,"text":"` + five + `"}]`, 12},
		"a file":                  {`{"source":{"data":"` + data + `"}`, tokens.ImageTokens},
		"a file, in lines":        {`{"source":{"data":"` + data + `\r\n` + data + `=="}`, tokens.ImageTokens},
		"a file beside the log":   {`{"type":"file","blob":"00","name":"` + five + `"`, tokens.ImageTokens},
		"two secrets":             {`{"a":[{"b":"` + data + `"},{"c":"` + data + `"}]`, 2 * tokens.ImageTokens},
		"a long text":             {`{"text":"` + strings.Repeat("word ", 80) + `"`, 100},
		"a long word":             {`{"text":"` + strings.Repeat("w", 200) + `"`, 50},
		"an image that is a link": {`{"type":"image","source":{"url":"https"}`, 3},
	} {
		log := `{"recordType":"message","schemaVersion":1,"seq":1,"role":"user","content":[` + test.block + `,"sentAsIs":true}]}` + "\n"
		for _, light := range []bool{false, true} {
			got, err := overlay.Resolve(reverse(log), overlay.Options{Light: light})
			if err != nil {
				t.Fatal(err)
			}
			if got.Len() != 1 || len(got.Repairs) > 0 || got.Estimate() != test.count {
				t.Errorf("%s: %d messages of %d tokens, not %d; %+v", name, got.Len(), got.Estimate(), test.count, got.Repairs)
			}
		}
	}
}

// TestAResultAsItIs: one that has nothing else is no empty result.
func TestAResultAsItIs(t *testing.T) {
	log := `{"recordType":"message","schemaVersion":1,"seq":1,"role":"assistant","content":[{"type":"toolCall","id":"c","name":"read","arguments":{}}]}` + "\n" +
		`{"recordType":"message","schemaVersion":1,"seq":2,"role":"toolResult","toolCallId":"c","content":[{"type":"document","sentAsIs":true}]}` + "\n"
	got, err := overlay.Resolve(reverse(log), overlay.Options{})
	if err != nil || len(got.Messages) != 2 || got.Messages[1].Content[0].Kind != record.BlockAsIs || len(got.Repairs) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
