package backend

import "palimpsest/backend/digest"

// copied tells of compactions whether another session counts them, as statistics do. Each stands in the ledger for every session that has
// it, since it is a part of what was said there.
type copied struct {
	// own are those that count of what several sessions hold, by session; heirs those of what sessions inherited.
	own, heirs map[string]compactions
}

func copiedIn(all map[string]digested) copied {
	one, own := compactedOnce(all)
	_, heirs := heirsOf(one)
	return copied{own, heirs}
}

// are tells it of each compaction of a session.
func (c copied) are(id string, ledger []digest.Compaction) []bool {
	out := make([]bool, len(ledger))
	own, shared := c.own[id]
	heirs := c.heirs[id]
	for i := range ledger {
		switch one := &ledger[i]; {
		case one.Copied:
			out[i] = !heirs.takes(one.Said)
		case shared:
			out[i] = !own.takes(one.Said)
		}
	}
	return out
}
