package index

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// place is where a search goes on: behind a session, or behind some of the texts of one.
type place struct {
	updated int64
	id      string
	// rank and last are those of the last visit that was made in the session; whole says that it is done with.
	whole bool
	rank  uint8
	last  int64
	// short says that something before was passed over undecided.
	short bool
}

// shortSign stands behind the rank where something was passed over.
const shortSign = "?"

// start is before everything.
var start = place{updated: math.MaxInt64, whole: true}

func (p place) String() string {
	rank := "-"
	if !p.whole {
		rank = strconv.Itoa(int(p.rank))
	}
	if p.short {
		rank += shortSign
	}
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d %s %d %s", p.updated, rank, p.last, p.id))
}

func parsePlace(cursor string) (place, error) {
	if cursor == "" {
		return start, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(cursor)
	words := strings.SplitN(string(data), " ", 4)
	if err != nil || len(words) != 4 {
		return place{}, fmt.Errorf("%w: %q", ErrCursor, cursor)
	}
	p := place{id: words[3]}
	words[1], p.short = strings.CutSuffix(words[1], shortSign)
	p.whole = words[1] == "-"
	var rank uint64
	errs := make([]error, 3)
	p.updated, errs[0] = strconv.ParseInt(words[0], 10, 64)
	p.last, errs[1] = strconv.ParseInt(words[2], 10, 64)
	if !p.whole {
		rank, errs[2] = strconv.ParseUint(words[1], 10, 8)
		p.rank = uint8(rank)
	}
	for _, err := range errs {
		if err != nil {
			return place{}, fmt.Errorf("%w: %q", ErrCursor, cursor)
		}
	}
	return p, nil
}

// passed says that a search that goes on here has done with a session.
func (p place) passed(s *seen) bool {
	if at := toNano(s.updated); at != p.updated {
		return at > p.updated
	}
	return s.id < p.id || s.id == p.id && p.whole
}

// passedVisit says the same of some of its texts.
func (p place) passedVisit(s *seen, v *visit) bool {
	return !p.whole && s.id == p.id && (v.rank < p.rank || v.rank == p.rank && v.last >= p.last)
}
