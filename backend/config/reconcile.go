package config

import "fmt"

// reserveFloor is a setting whose default depends on another one.
const reserveFloor = "compaction.reserve_tokens_floor"

// flushFloor is the floor while the memory flush is on: it takes room above the trigger.
const flushFloor = 20000

// reconcile settles what the settings say about each other, and what of it can't be.
func (c *Compaction) reconcile(floorGiven bool) []Problem {
	if c.MemoryFlush.Enabled && !floorGiven {
		c.ReserveTokensFloor = flushFloor
	}
	if c.MaxMessages == 0 || c.KeepRecentMessages < c.MaxMessages {
		return nil
	}
	kept := c.MaxMessages / 2
	problem := Problem{
		Key:     "compaction.keep_recent_messages",
		Message: fmt.Sprintf("compaction.keep_recent_messages (%d) must be less than compaction.max_messages (%d)", c.KeepRecentMessages, c.MaxMessages),
		Hint:    fmt.Sprintf("%d are kept, or every request would compact", kept),
	}
	c.KeepRecentMessages = kept
	return []Problem{problem}
}
