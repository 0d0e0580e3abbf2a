package overlay_test

import (
	"strings"
	"testing"

	"palimpsest/backend/record"
)

// TestInstead: a prune may say what the results that it names show as. Of several the last counts that was not taken back.
func TestInstead(t *testing.T) {
	const (
		call   = `{"recordType":"message","schemaVersion":1,"seq":1,"role":"assistant","content":[{"type":"toolCall","id":"a","name":"ls","arguments":{}}]}`
		result = `{"recordType":"message","schemaVersion":1,"seq":2,"role":"toolResult","toolCallId":"a","isError":true,"content":[{"type":"text","text":"whole"}]}`
		plain  = `{"recordType":"prune","schemaVersion":2,"seq":3,"seqs":[2],"tokensFreed":1}`
		masked = `{"recordType":"prune","schemaVersion":2,"seq":4,"seqs":[2],"tokensFreed":1,"texts":["masked"]}`
		less   = `{"recordType":"prune","schemaVersion":2,"seq":5,"seqs":[1,2],"tokensFreed":1,"texts":["of an answer","less"]}`
		back   = `{"recordType":"revert","schemaVersion":2,"seq":6,"targetSeq":5}`
		empty  = `{"recordType":"prune","schemaVersion":2,"seq":7,"seqs":[2],"tokensFreed":1,"texts":[""]}`
		more   = `{"recordType":"prune","schemaVersion":2,"seq":9,"seqs":[2],"tokensFreed":1,"texts":["a","b"]}`
		odd    = `{"recordType":"prune","schemaVersion":2,"seq":8,"seqs":[2],"tokensFreed":1,"texts":[7]}`
		bare   = `{"recordType":"prune","schemaVersion":2,"seq":10,"seqs":[2],"tokensFreed":1,"texts":"no list"}`
	)
	for want, lines := range map[string][]string{
		"whole": {call, result}, record.Cleared(2): {call, result, plain}, "masked": {call, result, plain, masked}, "less": {call, result, masked, less},
		"masked ": {call, result, masked, less, back}, record.Cleared(2) + " ": {call, result, masked, empty}, record.Cleared(2) + "  ": {call, result, masked, odd}, record.Cleared(2) + "   ": {call, result, masked, more},
		record.Cleared(2) + "    ": {call, result, masked, bare},
	} {
		ctx, _ := resolve(t, []byte(strings.Join(lines, "\n")+"\n"))
		m := ctx.Messages[1]
		if got := m.Content[0].Text; got != strings.TrimRight(want, " ") || !m.IsError || len(m.Content) != 1 {
			t.Errorf("%q: %q", want, got)
		}
	}
}
