package states

import (
	"maps"

	"palimpsest/backend/session"
)

// Back has an account know no more than of what an index has, which was of all that it knows and was extended since: other lines may
// follow then.
func (a *Account) Back(x *session.Index) {
	a.told = a.told.back(x)
	n := x.Lines.Len()
	switch {
	case a.leftOut.Len() <= n:
	case n <= a.from:
		*a = Account{told: a.told}
	default:
		a.cut(n)
		a.last = x.Lines.At(n - 1).Offset
	}
}

// cut leaves what was taken of the lines before one.
func (a *Account) cut(line int) {
	a.leftOut.Cut(line)
	a.instead.Cut(a.insteadIn(line))
	n := a.pairs.Len()
	for n > 0 && int(a.pairs.At(n-1).line) >= line {
		n--
	}
	a.pairs.Cut(n)
}

// back is what is told of the lines of an index alone, nil if the compaction in force is behind them: another one may be in its
// place. Tables keep what was told.
func (t *told) back(x *session.Index) *told {
	if t == nil || t.inForce >= x.Lines.Len() {
		return nil
	}
	reasons := maps.Clone(t.reasons)
	maps.DeleteFunc(reasons, func(offset int64, _ string) bool { return offset >= x.Size })
	return &told{t.inForce, t.path, reasons}
}
