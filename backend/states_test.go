//go:build !race

package backend

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/digest"
	"palimpsest/backend/session"
	"palimpsest/backend/states"
)

// TestLargeContextHasOneTruth: of a context that is too large to hold, the window says of each line what search says, also as of an
// earlier moment and as the log grows.
func TestLargeContextHasOneTruth(t *testing.T) {
	t.Parallel()
	const lines = 20
	pad := fmt.Sprintf(`"pad":"%s","role"`, strings.Repeat("x", states.ExactBytes/(lines-6)))
	var log strings.Builder
	few := map[int]string{
		3: said(3, "toolResult", "a word that no call asked for"),
		4: `{"recordType":"message","schemaVersion":1,"seq":4,"role":"assistant","content":[{"type":"toolCall","id":"a","name":"ls","arguments":{}}]}` + "\n",
		5: `{"recordType":"message","schemaVersion":1,"seq":5,"role":"toolResult","toolCallId":"a","content":[{"type":"text","text":"word"}]}` + "\n",
		6: strings.Replace(said(6, "assistant", "word"), `"role":"assistant"`, `"role":"assistant","stopReason":"error"`, 1),
		7: `{"recordType":"prune","schemaVersion":2,"seq":7,"seqs":[5],"tokensFreed":1}` + "\n",
	}
	for seq := 1; seq <= lines; seq++ {
		line, ok := few[seq]
		if !ok {
			line = strings.Replace(said(seq, []string{"assistant", "user"}[seq%2], "word"), `"role"`, pad, 1)
		}
		log.WriteString(line)
	}
	b := archive(t)
	id := hold(t, b, session.New{Name: "large"}, log.String())
	want := map[int64]State{2: StateKept, 3: StateDropped, 4: StateKept, 5: StatePruned, 6: StateDropped, 7: StateMeta, 8: StateKept}
	compareStates(t, b, id, want)

	if _, err := b.Append(t.Context(), id, strings.NewReader(strings.ReplaceAll(said(0, "toolResult", "word without a call"), `"seq":0,`, ""))); err != nil {
		t.Fatal(err)
	}
	want[lines+1] = StateDropped
	compareStates(t, b, id, want)
	page, err := b.Page(id, PageOptions{Position: 4, Limit: 1, AsOf: lines})
	newsMust(t, err)
	if state := page.Entries[0].State; state != StatePruned {
		t.Errorf("as of an earlier moment the result is %s", state)
	}
}

// compareStates tells whether the window says of lines what is wanted, and search the same.
func compareStates(t *testing.T, b *Backend, id string, want map[int64]State) {
	t.Helper()
	scanned(t, b)
	found, err := b.SearchIn(t.Context(), id, SearchOptions{Text: "word"})
	newsMust(t, err)
	fates := map[int64]string{}
	for _, place := range found.Hits {
		if place.Seq != nil && place.State != nil {
			fates[*place.Seq] = *place.State
		}
	}
	for seq, state := range want {
		page, err := b.Page(id, PageOptions{FromSeq: seq, Limit: 1})
		newsMust(t, err)
		if got := page.Entries[0].State; got != state {
			t.Errorf("line %d is %s, not %s", seq, got, state)
		}
		if fate, ok := fates[seq]; ok && fate != string(digest.FateOf(state)) {
			t.Errorf("line %d is %s, and search says %s", seq, state, fate)
		}
	}
	if len(fates) < len(want)-3 {
		t.Errorf("search knows the states of %d lines only", len(fates))
	}
}
