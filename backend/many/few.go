package many

// Few numbers values that are many times the same: each of many things has its number, which is shorter. The zero value is empty.
type Few[T comparable] struct {
	numbers map[T]uint32
	values  []T
}

// Number is that of a value.
func (f *Few[T]) Number(v T) uint32 {
	n, known := f.numbers[v]
	if !known {
		if f.numbers == nil {
			f.numbers = map[T]uint32{}
		}
		n = uint32(len(f.values))
		f.numbers[v] = n
		f.values = append(f.values, v)
	}
	return n
}

// Value is the one with a number.
func (f *Few[T]) Value(n uint32) T { return f.values[n] }
