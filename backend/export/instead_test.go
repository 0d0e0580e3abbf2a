package export

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"palimpsest/backend/record"
	"palimpsest/backend/secrets"
)

func spoken(role record.Role, text string) record.Message {
	return record.Message{Role: role, Content: []record.Block{record.TextBlock(text)}}
}

// replaced is a conversation of two messages, and a compaction that puts messages in their place.
func replaced(summary string, by ...record.Message) []record.Record {
	first, second := spoken(record.RoleUser, "fix the parser"), spoken(record.RoleAssistant, "done")
	return []record.Record{
		{Header: record.Header{Seq: 1}, Message: &first},
		{Header: record.Header{Seq: 2}, Message: &second},
		{Header: record.Header{Seq: 3}, Compaction: &record.Compaction{FirstKeptSeq: 3, Summary: summary, Replacement: by}},
	}
}

func documentOf(t *testing.T, filter *secrets.Filter, records []record.Record) string {
	t.Helper()
	var out bytes.Buffer
	doc := NewMarkdown(&out, About{}, filter)
	for i := range records {
		if err := doc.Add(&records[i], ""); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// TestWhatACompactionPutInPlaceIsTold: what the model got instead of the conversation is in the document, and what stands there already is
// not there twice.
func TestWhatACompactionPutInPlaceIsTold(t *testing.T) {
	doc := documentOf(t, nil, replaced("the summary",
		spoken(record.RoleUser, "fix the parser"), spoken(record.RoleUser, "said nowhere before"), spoken(record.RoleUser, "the summary")))
	for text, times := range map[string]int{
		"fix the parser": 1, "the summary": 1, "said nowhere before": 1, "*in its place, user*": 1, "3 messages in place of all before": 1,
	} {
		if got := strings.Count(doc, text); got != times {
			t.Errorf("%q is there %d times, not %d:\n%s", text, got, times, doc)
		}
	}
}

// TestInsteadForgets: a log of any length does not fill the memory with what was told.
func TestInsteadForgets(t *testing.T) {
	var in Instead
	for i := range 5 * toldMost {
		said := spoken(record.RoleUser, strconv.Itoa(i))
		in.Of(&record.Record{Message: &said})
	}
	if n := len(in.told) + len(in.before); n > 2*toldMost {
		t.Error(n)
	}
	last := spoken(record.RoleUser, strconv.Itoa(4*toldMost))
	if fresh := in.Of(&record.Record{Compaction: &record.Compaction{Replacement: []record.Message{last}}}); len(fresh) > 0 {
		t.Error("what was told lately is told again")
	}
}

// TestWhatIsInPlaceHasNoSecrets: no more than what was said.
func TestWhatIsInPlaceHasNoSecrets(t *testing.T) {
	const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"
	doc := documentOf(t, &secrets.Filter{}, replaced("the summary", spoken(record.RoleUser, "the key is "+key)))
	if strings.Contains(doc, key) || !strings.Contains(doc, "the key is") {
		t.Error(doc)
	}
}

// TestACompactionWithoutWords: that there is no summary is said, and not left for a gap.
func TestACompactionWithoutWords(t *testing.T) {
	if doc := documentOf(t, nil, replaced(" ")); !strings.Contains(doc, "the summary is empty or not readable") {
		t.Error(doc)
	}
}

// TestAFailureIsToldOnce: some agents make the error the words of the answer.
func TestAFailureIsToldOnce(t *testing.T) {
	const failure = "overloaded"
	for text, want := range map[string]string{failure: "", "Let me\n" + failure + " ": "", "Let me": failure, "Is it overloaded?": failure} {
		m := spoken(record.RoleAssistant, text)
		m.ErrorMessage = failure
		if got := Failure(&m); got != want {
			t.Errorf("%q besides %q, not %q", got, text, want)
		}
	}
}
