package record

import (
	"strings"
	"testing"
)

// A number cut short, or one written otherwise, is another number to who reads it.
func TestCutKeepsNumbersAsTheyAreWritten(t *testing.T) {
	const said = `"id":1234567890123456789,"ratio":3.10`
	rec, err := Decode([]byte(`{"recordType":"message","schemaVersion":1,"seq":1,"timestamp":"2026-01-01T00:00:00Z","role":"assistant",` +
		`"content":[{"type":"toolCall","id":"c","name":"n","arguments":{` + said + `,"text":"` + strings.Repeat("x", 5000) + `"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if cut := rec.Cut(1000, 6000); !strings.Contains(cut, said) {
		t.Errorf("cut to %s; want %s in it", cut, said)
	}
}
