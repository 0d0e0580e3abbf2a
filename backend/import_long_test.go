package backend

import (
	"strings"
	"testing"

	"palimpsest/backend/modeltest"
)

// TestLongTextIsSeen: of a long text that another agent's model has seen a line holds head and tail. It counts whole, there and in a copy, and
// whoever goes on with the copy sends it whole.
func TestLongTextIsSeen(t *testing.T) {
	noModel(t)
	long := strings.Repeat("0123456789", 40_000)
	home := t.TempDir()
	writePi(t, home, piHead+`{"id":"1","parentId":null,"type":"message","timestamp":"2026-01-02T10:00:00Z","message":{"role":"user","content":"`+long+`"}}
{"id":"2","parentId":"1","type":"message","timestamp":"2026-01-02T10:00:01Z","message":{"role":"assistant","provider":"p","model":"m","content":[{"type":"text","text":"ok"}]}}
`)
	server := modeltest.New(t)
	b := abroad(t, home)
	newsMust(t, b.UseModel(server.URL, "m-1"))
	made, err := b.Import(t.Context(), "pi:s1")
	newsMust(t, err)
	for _, id := range []string{"pi:s1", made.ID} {
		c, err := b.Context(id, ContextOptions{})
		newsMust(t, err)
		if c.Tokens.Estimate != len(long)/4+1 {
			t.Errorf("%s: %d tokens", id, c.Tokens.Estimate)
		}
	}
	k := &talker{b, t, server, made.ID}
	u := k.say("go on")
	asked := server.Next()
	if !strings.Contains(asked.Raw, long) {
		t.Error("the model is not sent all of it")
	}
	asked.Answer("done")
	u.ok()
}
