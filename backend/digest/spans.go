package digest

import (
	"sort"
	"strconv"
	"strings"

	"palimpsest/backend/states"
)

// Fate says whether the model still sees a line.
type Fate string

// The fates of lines; of what the model never was to see, none.
const (
	Context Fate = "context"
	Summary Fate = "summary"
	Dropped Fate = "dropped"
)

// FateOf is what a state means to somebody who asks whether the model still sees a line.
func FateOf(s states.State) Fate {
	switch s {
	case states.Kept, states.Fresh, states.InForce:
		return Context
	case states.Superseded, states.Folded:
		return Summary
	case states.Pruned, states.Dropped, states.OffPath, states.Reverted, states.Newer:
		return Dropped
	case states.Meta:
	}
	return ""
}

var letters = map[Fate]byte{Context: 'c', Summary: 's', Dropped: 'd', "": '-'}

// letterSet are all of them.
const letterSet = "csd-"

// Spans are the fates of all lines as runs: a letter and how many lines, such as s120c8.
type Spans string

// spansOf writes the runs of n lines.
func spansOf(n int, of func(i int) Fate) Spans {
	var out []byte
	run, last := 0, byte(0)
	flush := func() {
		if run > 0 {
			out = strconv.AppendInt(append(out, last), int64(run), 10)
		}
	}
	for i := range n {
		letter := letters[of(i)]
		if letter != last {
			flush()
			run, last = 0, letter
		}
		run++
	}
	flush()
	return Spans(out)
}

// Has tells whether some line has a fate.
func (s Spans) Has(fate Fate) bool {
	letter, ok := letters[fate]
	return ok && strings.IndexByte(string(s), letter) >= 0
}

// Runs are spans that can be asked.
type Runs struct {
	ends    []int32
	letters []byte
}

// Runs reads the spans. Of what it can't read it knows no fate.
func (s Spans) Runs() Runs {
	var r Runs
	end := 0
	for at := 0; at < len(s); {
		letter := s[at]
		to := at + 1
		for to < len(s) && s[to] >= '0' && s[to] <= '9' {
			to++
		}
		n, err := strconv.Atoi(string(s[at+1 : to]))
		if err != nil {
			return r
		}
		end += n
		r.ends, r.letters = append(r.ends, int32(end)), append(r.letters, letter) //nolint:gosec // a log has fewer lines
		at = to
	}
	return r
}

func fateOf(letter byte) Fate {
	for fate, l := range letters {
		if l == letter {
			return fate
		}
	}
	return ""
}

// Of is the fate of a line; none for one that is not there.
func (r Runs) Of(line int) Fate {
	at := sort.Search(len(r.ends), func(i int) bool { return int(r.ends[i]) > line })
	if line < 0 || at == len(r.ends) {
		return ""
	}
	return fateOf(r.letters[at])
}

// Len is how many lines there are.
func (r Runs) Len() int {
	if len(r.ends) == 0 {
		return 0
	}
	return int(r.ends[len(r.ends)-1])
}

// first are the first runs, or all.
func (s Spans) first(runs int) Spans {
	for at := 0; ; runs-- {
		next := strings.IndexAny(string(s[min(at+1, len(s)):]), letterSet)
		if next < 0 {
			return s
		}
		if at += 1 + next; runs == 1 {
			return s[:at]
		}
	}
}
