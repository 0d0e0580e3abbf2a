package gemini

import (
	"math"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// summaries finds those of compressions that are written as messages before the patch that takes away what they stand for. Till then the
// model has not seen them.
type summaries struct {
	// last are those since the model said something, and what it is let say to them.
	last  []summary
	early map[int64]bool
}

// summary is the line and the id of one.
type summary struct {
	offset int64
	id     string
}

// look looks for one in a line.
func (s *summaries) look(offset int64, rec gjson.Result) {
	text := ""
	if strings.Contains(rec.Raw, "<state_snapshot>") || strings.Contains(rec.Raw, acknowledged) {
		text = plain(rec.Get("content"))
	}
	switch {
	case rec.Get("type").Str == "user" && strings.Contains(text, "<state_snapshot>") && !isContext(text),
		rec.Get("type").Str == "gemini" && text == acknowledged && len(s.last) > 0:
		s.last = append(s.last, summary{offset, jsonl.Text(rec.Get("id"))})
	case rec.Get("tokens").IsObject(), rec.Get("$set.sessionId").Exists():
		s.last = nil
	}
}

// moved is for a patch: what is still there of them came into the list with it. It tells where the first of those is.
func (s *summaries) moved(held func(id string) bool) (first int64) {
	first = math.MaxInt64
	for _, one := range s.last {
		if held(one.id) {
			first = min(first, one.offset)
			if s.early == nil {
				s.early = map[int64]bool{}
			}
			s.early[one.offset] = true
		}
	}
	s.last = nil
	return first
}
