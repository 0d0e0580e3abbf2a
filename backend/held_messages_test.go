//go:build !race

package backend

import (
	"math"
	"testing"

	"palimpsest/backend/many"
)

// TestLittleIsHeldOfAMessage: of a session of many short messages, of which none was compacted, little is held of each, and none of its texts.
func TestLittleIsHeldOfAMessage(t *testing.T) {
	const messages = 6000
	b := abroad(t, t.TempDir())
	id := manyShort(t, b, messages, 150)
	for name, of := range map[string]struct {
		most int64 // bytes of a message
		do   func() error
	}{
		"context": {400, func() error { return seenWhole(b, id, 0) }},
		"compact": {800, func() error {
			_, err := b.Compact(t.Context(), id, Compact{DryRun: true, Offline: true})
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			least := int64(math.MaxInt64)
			for range 3 { // some of what is thrown away is counted, too, and more of it on a machine with other work
				least = min(least, mostHeld(func() { newsMust(t, of.do()) }))
			}
			if least > messages*of.most {
				t.Errorf("%d bytes are held of a message", least/messages)
			}
		})
	}
}

// TestContextHoldsNothingOfAMessage: one of fifteen times as many messages takes no more memory, now or as of a record.
func TestContextHoldsNothingOfAMessage(t *testing.T) {
	many.TestOnlyLittle(t)
	const few, all, most = 4000, 60_000, 4 << 20 // of which most is what comes while the collector runs
	b := abroad(t, t.TempDir())
	ids := map[int]string{few: manyShort(t, b, few, 1), all: manyShort(t, b, all, 1)}
	for name, at := range map[string]int64{"now": 0, "as of a record": few - 4} {
		t.Run(name, func(t *testing.T) {
			heldOf := func(messages int) int64 {
				return mostHeld(func() { newsMust(t, seenWhole(b, ids[messages], at*int64(messages/few))) })
			}
			heldOf(few) // what is made once
			if less, held := heldOf(few), heldOf(all); held > less+most {
				t.Errorf("%d bytes are held, and of a fifteenth of it %d", held, less)
			}
		})
	}
}
