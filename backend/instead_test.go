package backend

import (
	"bytes"
	"strings"
	"testing"

	"palimpsest/backend/session"
)

// TestWhatStandsInsteadIsRead: what a result shows as to the model, by the words of a prune, is found and exported where the prune stands.
func TestWhatStandsInsteadIsRead(t *testing.T) {
	call := `{"recordType":"message","schemaVersion":1,"seq":2,"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{}}]}` + "\n"
	result := `{"recordType":"message","schemaVersion":1,"seq":3,"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"all of it"}]}` + "\n"
	prune := `{"recordType":"prune","schemaVersion":2,"seq":4,"seqs":[3],"tokensFreed":0,"texts":["a preview\nand more"]}` + "\n"
	b := archive(t)
	id := hold(t, b, session.New{Name: "masked"}, said(1, "user", "go")+call+result+prune)
	scanned(t, b)
	found, err := b.Find(t.Context(), id, FindOptions{Query: "a preview"})
	newsMust(t, err)
	if len(found.Matches) != 1 || found.Matches[0].Seq != 4 {
		t.Errorf("found %+v", found.Matches)
	}
	var out bytes.Buffer
	_, err = b.Export(t.Context(), id, ExportOptions{Format: "markdown"}, &out)
	newsMust(t, err)
	if !strings.Contains(out.String(), "\n> a preview\n> and more\n") {
		t.Error(out.String())
	}
	if got := told(look(t, b, "preview in:context")); len(got) != 1 {
		t.Error(got)
	}
	if got := told(look(t, b, "preview in:dropped")); len(got) > 0 {
		t.Error("what the model sees is no longer seen", got)
	}
	if got := told(look(t, b, "preview scope:output")); len(got) != 1 || got[0] != "masked 4 output context [preview] 1" {
		t.Error(got)
	}
}
