package llm

import (
	"testing"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// TestNothingIsBlank: some APIs refuse a whole request for text that is nothing but blanks.
func TestNothingIsBlank(t *testing.T) {
	blank := record.TextBlock(" \n")
	for name, c := range map[string]struct {
		in   []overlay.Message
		want []string
	}{
		"the user's":        {[]overlay.Message{user(blank)}, []string{"user:[empty message]"}},
		"a part of it":      {[]overlay.Message{user(blank, record.TextBlock("x"), blank)}, []string{"user:x"}},
		"an answer":         {[]overlay.Message{user(record.TextBlock("x")), assistant(blank), user(record.TextBlock("y"))}, []string{"user:x\n\ny"}},
		"beside calls":      {[]overlay.Message{user(record.TextBlock("x")), assistant(blank, callBlock("a", "ls", "{}")), result("a", blank)}, []string{"user:x", "assistant:", "tool:[no output]"}},
		"behind the answer": {[]overlay.Message{user(record.TextBlock("x")), assistant(record.TextBlock("y")), user(blank)}, []string{"user:x", "assistant:y", "user:[empty message]"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := messages("", c.in, nil)
			if len(got) != len(c.want) {
				t.Fatalf("%+v", got)
			}
			for i, m := range got {
				if m.Role+":"+m.Content != c.want[i] {
					t.Errorf("%d: %s:%s, want %s", i, m.Role, m.Content, c.want[i])
				}
			}
		})
	}
}
