package backend

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"palimpsest/backend/session"
)

// largeLog is longer than what is read before a first answer. One message in its middle is no JSON behind its header, and
// one near its start answers a call that was never made, which only resolving the context tells.
func largeLog() (log string, damaged int) {
	const lines = 24
	text := strings.Repeat("x", glanceBytes/(lines-4))
	var b strings.Builder
	for seq := 1; seq <= lines; seq++ {
		line := said(seq, []string{"assistant", "user"}[seq%2], text)
		switch seq {
		case 4:
			line = said(seq, "toolResult", text)
		case lines / 2:
			damaged = seq - 1
			line = strings.Replace(line, `[{"type"`, `[{"type`, 1)
		}
		b.WriteString(line)
	}
	return b.String(), damaged
}

// TestGlance: a large log is told of at once, and what that left out follows as news.
func TestGlance(t *testing.T) {
	log, damaged := largeLog()
	b, id := open(t, log)
	whole, err := b.Outline(id)
	newsMust(t, err)

	resident := newsBackend(t, b.Home())
	resident.resident = true
	events, cancel := resident.Subscribe()
	defer cancel()
	outline, err := resident.Outline(id)
	newsMust(t, err)
	if outline.Total != whole.Total || outline.Messages < whole.Messages {
		t.Errorf("%d lines and %d messages at first, then %d and %d", outline.Total, outline.Messages, whole.Total, whole.Messages)
	}
	newsOf(t, events, EventChanged, id)
	settled, err := resident.Outline(id)
	newsMust(t, err)
	if len(settled.Damage) != 1 || settled.Damage[0].Index != damaged || settled.Messages != whole.Messages {
		t.Errorf("damage %+v, %d messages", settled.Damage, settled.Messages)
	}
	page, err := resident.Page(id, PageOptions{Position: 3, Limit: 1})
	newsMust(t, err)
	if state := page.Entries[0].State; state != StateDropped {
		t.Errorf("a result without a call is %s", state)
	}
}

// TestLookIsRough: what was not read is not claimed; a damaged line is still shown as such where it is met.
func TestLookIsRough(t *testing.T) {
	log, damaged := largeLog()
	b, id := open(t, log)
	file, err := b.store.OpenLog(id)
	newsMust(t, err)
	c := &cached{place: place{store: b.store, id: id}}
	info, err := c.identify(file)
	newsMust(t, err)
	newsMust(t, c.look(file, info.Size(), ""))
	if !c.rough || !c.index.Skimmed || len(c.index.Damage) != 0 {
		t.Fatalf("rough %v, skimmed %v, damage %v", c.rough, c.index.Skimmed, c.index.Damage)
	}
	v := &view{id: id, log: file, index: c.index, states: c.states, rough: c.rough}
	defer v.close()
	page, err := v.page(PageOptions{Position: damaged - 1}, 3, pageRoom)
	newsMust(t, err)
	if page.Count != 3 || len(page.Records) != 2 || len(page.Damage) != 1 || page.Damage[0].Kind != session.DamageCorrupt {
		t.Errorf("count %d, %d records, damage %+v", page.Count, len(page.Records), page.Damage)
	}
}

// TestCloseEndsSettling: who closes does not wait for a log of gigabytes to be read.
func TestCloseEndsSettling(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	log, _ := largeLog()
	b, id := open(t, log)
	b.resident = true
	_, err := b.Outline(id)
	newsMust(t, err)
	b.Close()
	goleak.VerifyNone(t, ignore)
	if _, err := b.Outline(id); err != nil {
		t.Errorf("after closing: %v", err)
	}
}

// TestViewWaitsForTheTruth: what is written rests on all of the log, even while a first look is being made good.
func TestViewWaitsForTheTruth(t *testing.T) {
	t.Parallel()
	log, _ := largeLog()
	b, id := open(t, log)
	b.resident = true
	_, err := b.Outline(id)
	newsMust(t, err)
	v, err := b.view(id)
	newsMust(t, err)
	defer v.close()
	if v.rough || v.index.Skimmed || len(v.index.Damage) != 1 {
		t.Errorf("rough %v, skimmed %v, damage %v", v.rough, v.index.Skimmed, v.index.Damage)
	}
}
