package llm

import (
	"errors"
	"strings"
	"testing"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// TestUncut: what was left out of the log alone is sent; what is not kept, or was shown in short, is sent as the log has it.
func TestUncut(t *testing.T) {
	whole := strings.Repeat("0123456789", 10)
	cut := record.Block{Kind: record.BlockText, Text: record.HeadAndTail(whole, 10), Blob: "kept", Whole: 100}
	gone, short := cut, cut
	gone.Blob, short.Whole = "gone", 0
	in := []overlay.Message{
		{Body: &overlay.Body{Role: record.RoleUser, Content: []record.Block{cut, record.TextBlock("and")}}},
		{Body: &overlay.Body{Role: record.RoleAssistant, Content: []record.Block{record.TextBlock("yes")}}},
		{Body: &overlay.Body{Role: record.RoleUser, Content: []record.Block{gone}}},
		{Body: &overlay.Body{Role: record.RoleUser, Content: []record.Block{short}}},
	}
	texts := func(messages []overlay.Message) string {
		var out []string
		for _, m := range messages {
			for _, b := range m.Content {
				out = append(out, b.Text)
			}
		}
		return strings.Join(out, "|")
	}
	before := texts(in)
	got := texts(uncut(in, func(sha string) ([]byte, error) {
		if sha != "kept" {
			return nil, errors.New("not there")
		}
		return []byte(whole), nil
	}))
	if want := strings.Join([]string{whole, "and", "yes", cut.Text, cut.Text}, "|"); got != want {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
	if texts(in) != before {
		t.Error("the messages that were given changed")
	}
}
