package many

// List is a slice in parts of the same length, which need not move when there is more: one that grows has no second copy of itself for a
// while. The zero value is empty.
type List[T any] struct {
	parts [][]T
	count int
}

// part is how many stand together.
const part = 1 << 10

// Len is how many there are.
func (l *List[T]) Len() int { return l.count }

// At is the one at a place. It stays where it is once its part is full.
func (l *List[T]) At(i int) *T { return &l.parts[i/part][i%part] }

// Add puts one at the end.
func (l *List[T]) Add(v T) {
	switch {
	case l.count == 0:
		l.parts = append(l.parts[:0], nil) // most lists are short
	case l.count%part == 0:
		l.parts = append(l.parts, make([]T, 0, part))
	}
	last := &l.parts[l.count/part]
	*last = append(*last, v)
	l.count++
}

// Cut leaves the first n, if there are more.
func (l *List[T]) Cut(n int) {
	if n >= l.count {
		return
	}
	l.count = n
	l.parts = l.parts[:(n+part-1)/part]
	if rest := n % part; rest > 0 {
		last := &l.parts[len(l.parts)-1]
		*last = (*last)[:rest]
	}
}
